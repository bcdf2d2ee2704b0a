"""A table with six pads, four objects and a Panda arm, in MuJoCo: forces, friction and contact decide what becomes of an object."""

import os
import pathlib

os.environ.setdefault('MUJOCO_GL', 'osmesa')  # draws in software; has to be set before mujoco is imported

import mujoco
import numpy as np

OBJECTS = 'red', 'blue', 'yellow', 'green'
COLOURS = (0.8, 0.08, 0.08), (0.1, 0.2, 0.8), (0.95, 0.75, 0.1), (0.1, 0.55, 0.15)
PADS = [(x, y) for x in (0.42, 0.58) for y in (-0.18, 0.0, 0.18)]
SIZE = 0.04  # m: how wide an object is
HEIGHTS = 0.04, 0.06, 0.04, 0.06
AT_PAD = 0.03  # m: an object whose middle is farther from a pad's is not on it
REST = 0.30, 0.0, 0.62  # where the hand waits, above what the camera sees
POSTURE = np.array([0, -0.6, 0, -2.4, 0, 1.8, 0.785])  # rad: joint angles near which it moves
OPEN, CLOSED = 0.04, 0.0  # m, of one finger
COARSE, FINE, THINGS = 0, 1, 2  # geometry of the arm that touches, and that looks well; of the rest
LAMP = 0.6  # how bright the light is, without flicker
STEP = 0.002  # s
TICK = 10  # steps from one command to the joints to the next


class Refused(Exception):
    """The skill does not apply, and nothing was moved."""


class Failed(Exception):
    """Contact went otherwise than the skill meant."""


def model(assets):
    """The MuJoCo model of the cell. assets is where robosuite's are; the arm is theirs, the rest is made here."""
    spec = mujoco.MjSpec.from_file(str(assets / 'robots/panda/robot.xml'))
    spec.option.timestep = STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 100  # else what friction holds sinks out of the fingers
    hand = mujoco.MjSpec.from_file(str(assets / 'grippers/panda_gripper.xml'))
    spec.body('right_hand').add_frame().attach_body(hand.body('right_gripper'), '', '')
    for body in spec.bodies[1:]:
        body.gravcomp = 1  # a Panda carries its own weight
    for geom in spec.geoms:
        if 'link' in geom.name and geom.group == COARSE:  # touches objects and the table, but not the arm itself
            geom.contype, geom.conaffinity = 0, 1
        if geom.name.startswith('finger') and geom.group == COARSE:
            # As stiff as the time step allows: MuJoCo leaves the curvature of the hand's path to the contact's damping, and
            # with softer fingers an object that they carry creeps 2 cm on its way.
            geom.solref, geom.priority, geom.condim = [2 * STEP, 1], 1, 4
    for site in spec.sites:
        site.group = 5  # not drawn
    for motor in [a for a in spec.actuators if a.name.startswith('torq')]:
        strong = motor.name < 'torq_j5'
        spec.delete(motor)
        servo = spec.add_actuator(name=motor.name, target=motor.target, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_position(kp=6000 if strong else 2000, kv=300 if strong else 60)
        servo.forcerange = [-87, 87] if strong else [-12, 12]
    furnish(spec)
    return spec.compile()


def furnish(spec):
    """Adds table, pads, objects, light and camera."""
    box, cylinder = mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_CYLINDER
    world = spec.worldbody
    world.add_geom(name='table', type=box, size=[0.6, 0.7, 0.05], pos=[0.4, 0, -0.05], rgba=[0.85, 0.83, 0.78, 1])
    world.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[4, 4, 1], pos=[0, 0, -0.8], rgba=[0.35, 0.33, 0.32, 1])
    for x, y in PADS:  # painted on the table: nothing touches them
        world.add_geom(type=box, size=[0.045, 0.045, 0.0005], pos=[x, y, 0.0005], rgba=[0.4, 0.4, 0.45, 1], contype=0, conaffinity=0)
    for i, (name, colour, height) in enumerate(zip(OBJECTS, COLOURS, HEIGHTS)):
        body = world.add_body(name=name, pos=[0.2, 0.2 * i - 0.3, height / 2])
        body.add_freejoint()
        size = [SIZE / 2, SIZE / 2, height / 2] if height == SIZE else [SIZE / 2, height / 2, 0]
        body.add_geom(type=box if height == SIZE else cylinder, size=size, rgba=[*colour, 1], mass=0.06, condim=4, friction=[1, 0.01, 0.001])
    for geom in spec.geoms:
        if geom.parent.name == 'world' or geom.parent.name in OBJECTS:
            geom.group = THINGS
    world.add_light(name='lamp', pos=[0.9, -0.6, 1.8], dir=[-0.4, 0.45, -1.4], diffuse=[LAMP] * 3, castshadow=True)
    spec.visual.headlight.ambient = [0.35] * 3
    spec.visual.headlight.diffuse = [0.3] * 3
    spec.visual.quality.shadowsize = 1024
    spec.visual.global_.offwidth, spec.visual.global_.offheight = 800, 600  # the largest image that is drawn
    for name, eye, look, fovy in ('fixed', (1.35, 0, 0.95), (0.46, 0, 0), 30), ('visitor', (1.3, -0.75, 0.85), (0.32, 0, 0.27), 50):
        back = np.subtract(eye, look)
        right = np.cross([0, 0, 1], back)
        camera = world.add_camera(name=name, pos=eye, fovy=fovy)
        camera.alt.type = mujoco.mjtOrientation.mjORIENTATION_XYAXES
        camera.alt.xyaxes = [*right, *np.cross(back, right)]


class Cell:
    """The cell in motion. Each seed has its own noise."""

    watch = None  # called 50 times a second of simulated time, if set
    turn = 0.1  # rad, one sigma: how objects stand

    def __init__(self, assets, seed):
        self.model = model(pathlib.Path(assets))
        self.data = mujoco.MjData(self.model)
        self.random = np.random.default_rng(seed)
        self.site = self.model.site('grip_site').id
        joints = [self.model.joint(f'joint{i}') for i in range(1, 8)]
        self.q, self.v = [j.qposadr[0] for j in joints], [j.dofadr[0] for j in joints]
        self.limits = np.array([j.range for j in joints]).T
        self.servos = [self.model.actuator(f'torq_j{i}').id for i in range(1, 8)]
        self.fingers = [self.model.actuator(f'gripper_finger_joint{i}').id for i in (1, 2)]
        self.fixed = [self.model.joint(f'finger_joint{i}').qposadr[0] for i in (1, 2)]
        self.bodies = [self.model.body(name).id for name in OBJECTS]
        self.free = [self.model.jnt_qposadr[self.model.body_jntadr[b]] for b in self.bodies]
        self.scratch = mujoco.MjData(self.model)
        self.rest = self.joints(REST, 0.0, POSTURE)
        self.reset(range(len(OBJECTS)))

    def joints(self, point, yaw, guess):
        """Joint angles with which the grip is at a point and the hand looks down."""
        d, m = self.scratch, self.model
        d.qpos[self.q] = guess
        down = np.array([[-np.sin(yaw), np.cos(yaw), 0], [np.cos(yaw), np.sin(yaw), 0], [0, 0, -1]])
        jacobian = np.zeros((6, m.nv))
        for _ in range(100):
            mujoco.mj_kinematics(m, d)
            mujoco.mj_comPos(m, d)
            now = d.site_xmat[self.site].reshape(3, 3)
            turn = sum(np.cross(now[:, k], down[:, k]) for k in range(3)) / 2
            error = np.concatenate([np.subtract(point, d.site_xpos[self.site]), turn])
            if np.abs(error).max() < 1e-4:
                break
            mujoco.mj_jacSite(m, d, jacobian[:3], jacobian[3:], self.site)
            j = jacobian[:, self.v]
            back = np.linalg.pinv(j, rcond=0.02)
            step = back @ error
            step += 0.1 * (np.eye(7) - back @ j) @ (POSTURE - d.qpos[self.q])  # seven joints for six numbers: the elbow stays up
            d.qpos[self.q] = np.clip(d.qpos[self.q] + np.clip(step, -0.2, 0.2), *self.limits)
        else:
            raise ValueError(f'no joint angles for {point}')
        return d.qpos[self.q].copy()

    def reset(self, pads):
        """Somebody puts each object on the pad of its number and the arm to rest, by hand: nothing pushes."""
        d = self.data
        mujoco.mj_resetData(self.model, d)
        d.qpos[self.q] = d.ctrl[self.servos] = self.rest
        d.qpos[self.fixed] = d.ctrl[self.fingers] = OPEN, -OPEN
        for address, pad, height in zip(self.free, pads, HEIGHTS):
            x, y = PADS[pad] + self.random.normal(0, 0.004, 2)
            turn = self.random.normal(0, self.turn)
            d.qpos[address:address + 7] = x, y, height / 2, np.cos(turn / 2), 0, 0, np.sin(turn / 2)
        mujoco.mj_forward(self.model, d)
        self.wait(0.2)

    def wait(self, seconds):
        for _ in range(round(seconds / STEP / TICK)):
            mujoco.mj_step(self.model, self.data, TICK)
            if self.watch:
                self.watch()

    def go(self, point, yaw, seconds):
        """Moves the grip to a point, as fast as a minimum of jerk allows, and comes to rest."""
        begin = self.data.ctrl[self.servos]
        end = self.joints(point, yaw, begin)
        for t in np.linspace(0, 1, round(seconds / STEP / TICK) + 1)[1:]:
            self.data.ctrl[self.servos] = begin + (end - begin) * t**3 * (10 - 15 * t + 6 * t * t)
            self.wait(STEP * TICK)
        self.wait(0.14)

    def grip(self, width):
        self.data.ctrl[self.fingers] = width, -width
        self.wait(0.3)

    def poses(self):
        """Where the middle of each object is: the truth."""
        return {name: self.data.xpos[body].tolist() for name, body in zip(OBJECTS, self.bodies)}

    def seen(self):
        """Where the arm thinks that the objects are: it has a noisy pose of each, as of markers. "hand", a pad's number, or None."""
        grip, found = self.data.site_xpos[self.site], []
        for body in self.bodies:
            p = self.data.xpos[body] + self.random.normal(0, 0.001, 3)
            near = [i for i, pad in enumerate(PADS) if np.hypot(*(p[:2] - pad)) < AT_PAD and p[2] < 0.05]
            found.append(('hand' if np.linalg.norm(p - grip) < AT_PAD else near[0] if near else None, p))
        return found

    def pick(self, thing, pad):
        seen = self.seen()
        if any(where == 'hand' for where, _ in seen):
            raise Refused('the hand is not empty')
        where, (x, y, _) = seen[thing]
        if where != pad:
            raise Refused(f'{OBJECTS[thing]} is not on pad {pad}')
        self.grip(OPEN)
        self.go((x, y, 0.14), 0, 0.7)
        self.go((x, y, self.depth(thing)), 0, 0.4)
        self.grip(CLOSED)
        self.go((x, y, 0.14), 0, 0.4)
        self.go(REST, 0, 0.7)
        if self.seen()[thing][0] != 'hand':
            raise Failed(f'{OBJECTS[thing]} slipped')

    def place(self, thing, pad):
        seen = self.seen()
        if seen[thing][0] != 'hand':
            raise Refused(f'{OBJECTS[thing]} is not in the hand')
        if any(where == pad for where, _ in seen):
            raise Refused(f'pad {pad} is occupied')
        (x, y), yaw = PADS[pad] + self.random.normal(0, 0.004, 2), self.random.normal(0, self.turn)
        x, y = (x, y) - (seen[thing][1] - self.data.site_xpos[self.site])[:2]  # it is not held by its very middle
        self.go((x, y, 0.14), yaw, 0.7)
        self.go((x, y, self.depth(thing) + 0.001), yaw, 0.4)
        self.grip(OPEN)
        self.go((x, y, 0.14), yaw, 0.4)
        self.go(REST, 0, 0.7)
        if self.seen()[thing][0] != pad:
            raise Failed(f'{OBJECTS[thing]} did not stay on pad {pad}')

    def move(self, thing, pad):
        seen = self.seen()
        if any(where == pad for where, _ in seen):
            raise Refused(f'pad {pad} is occupied')
        self.pick(thing, seen[thing][0])
        self.place(thing, pad)

    @staticmethod
    def depth(thing):
        """How high over the table the grip takes an object: half its height, or where the fingers reach it without the hand touching."""
        return max(HEIGHTS[thing] / 2, HEIGHTS[thing] - 0.025)
