#!/usr/bin/env python3
"""The arm as a ROS 2 node: it publishes what its camera sees, and runs skills as an action server.

camera/image_raw  what the camera sees, 30 times a second while the arm rests
execute_skill     (action), skill_status: the skills of skills.py
arm/put           somebody puts the objects on pads: their numbers, in the order of cell.OBJECTS
arm/truth         JSON: where the objects are, for judges alone, with the number of skills and resets until then
scene_reset       announces what arm/put changes
"""

import contextlib
import json
import math
import pathlib
import queue
import threading
import time

import rclpy
from rclpy.action import ActionServer, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy._rclpy_pybind11 import RCLError
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import Image
from std_msgs.msg import String
from strips_wm_msgs.action import ExecuteSkill
from strips_wm_msgs.msg import SkillStatus
from unique_identifier_msgs.msg import UUID

from cell import Cell, Failed, Refused
from eye import Eye
from skills import SKILLS

RATE = 30  # images a second
MOVING = 0.5  # s between images while the arm moves, each of which costs a tenth of a skill


class Arm(Node):
    """MuJoCo and OSMesa belong to the thread that calls run; ROS 2 hands it what to do by a queue."""

    def __init__(self):
        super().__init__('arm')
        self.skills = SKILLS[self.declare_parameter('mode', 'picks').value]
        assets = self.declare_parameter('assets', str(pathlib.Path(__file__).parents[2] / '.deps/arm/assets')).value
        self.cell = Cell(assets, self.declare_parameter('seed', 1).value)
        self.eye = Eye(self.cell, 160, 120)
        self.jobs, self.busy, self.shot, self.changes = queue.Queue(), threading.Lock(), 0.0, 0
        self.cell.watch = self.moving
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.images = self.create_publisher(Image, 'camera/image_raw', 5)
        self.status = self.create_publisher(SkillStatus, 'skill_status', 100)
        self.resets = self.create_publisher(String, 'scene_reset', 10)
        self.truth = self.create_publisher(String, 'arm/truth', latched)
        self.create_subscription(String, 'arm/put', lambda m: self.jobs.put(lambda: self.put(m.data)), 10)
        group = ReentrantCallbackGroup()
        self.server = ActionServer(self, ExecuteSkill, 'execute_skill', self.execute, goal_callback=self.accept, callback_group=group)
        self.create_timer(1.0, self.idle, callback_group=group)
        self.tell_truth()

    def run(self):
        while rclpy.ok():
            try:
                self.jobs.get(timeout=max(0.0, self.shot + 1 / RATE - time.monotonic()))()
            except queue.Empty:
                self.shoot()

    def shoot(self):
        image = self.eye.shoot()
        self.shot = time.monotonic()
        height, width, _ = image.shape
        message = Image(height=height, width=width, encoding='rgb8', step=3 * width)
        message.header.stamp, message.header.frame_id = self.get_clock().now().to_msg(), 'camera'
        message.data = image.tobytes()
        self.images.publish(message)

    def moving(self):
        if time.monotonic() > self.shot + MOVING:
            self.eye.look()
            self.shoot()

    def put(self, pads):
        self.resets.publish(String(data='somebody put the objects on ' + pads))
        self.cell.reset([int(p) for p in pads.split()])
        self.eye.look()
        self.tell_truth()

    def tell_truth(self):
        self.changes += 1
        self.truth.publish(String(data=json.dumps({'changes': self.changes, 'objects': self.cell.poses()})))

    def accept(self, goal):
        return GoalResponse.ACCEPT if 1 <= goal.action <= len(self.skills) and not self.busy.locked() else GoalResponse.REJECT

    def idle(self):
        if not self.busy.locked():
            self.tell(UUID(), 0, SkillStatus.IDLE)

    def execute(self, handle):
        with self.busy:
            execution, action = UUID(uuid=handle.goal_id.uuid), handle.request.action
            result = ExecuteSkill.Result(started=self.tell(execution, action, SkillStatus.STARTED))
            ended = queue.Queue()
            self.jobs.put(lambda: ended.put(self.attempt(action)))
            name, result.message = ended.get()
            result.outcome = getattr(ExecuteSkill.Result, name)
            result.ended = self.tell(execution, action, getattr(SkillStatus, name), result.message)
            handle.succeed() if name == 'SUCCEEDED' else handle.abort()
            return result

    def attempt(self, action):
        kind, thing, pad = self.skills[action - 1]
        try:
            getattr(self.cell, kind)(thing, pad)
            outcome = 'SUCCEEDED', ''
        except Refused as e:
            outcome = 'REFUSED', str(e)
        except Failed as e:
            outcome = 'FAILED', str(e)
        self.eye.look()
        self.tell_truth()
        return outcome

    def tell(self, execution, action, phase, message=''):
        status = SkillStatus(execution_id=execution, action=action, phase=phase, progress=math.nan, message=message)
        status.header.stamp = self.get_clock().now().to_msg()
        self.status.publish(status)
        return status.header.stamp


def main():
    rclpy.init()
    arm = Arm()
    executor = MultiThreadedExecutor(4)
    executor.add_node(arm)

    def spin():
        with contextlib.suppress(ExternalShutdownException):
            executor.spin()

    spinning = threading.Thread(target=spin, daemon=True)
    spinning.start()
    try:
        arm.run()
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    except RCLError:
        if rclpy.ok():  # else ^C came while it was about to publish
            raise
    spinning.join(10)  # ^C has shut ROS 2 down; a thread that is within it when Python ends aborts it


if __name__ == '__main__':
    main()
