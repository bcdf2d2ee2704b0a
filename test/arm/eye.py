"""A camera that looks at the cell: its light flickers, its sensor is noisy."""

import mujoco
import numpy as np

from cell import COARSE, FINE, LAMP, THINGS


class Eye:
    """width and height are of its images. A fine one draws the arm as it looks, which takes several times as long."""

    def __init__(self, cell, width, height, camera='fixed', fine=False):
        self.cell, self.camera = cell, camera
        self.renderer = mujoco.Renderer(cell.model, 2 * height, 2 * width)  # four samples a pixel: edges are soft as a lens makes them
        self.option = mujoco.MjvOption()
        self.option.geomgroup[:] = 0
        self.option.geomgroup[[FINE if fine else COARSE, THINGS]] = 1
        self.flicker, self.lamp = 0.0, LAMP
        self.look()

    def bump(self, right, up, roll, shift):
        """Somebody bumps the camera: it turns by so many radians, and stands so many metres elsewhere."""
        model, camera = self.cell.model, self.cell.model.camera(self.camera).id
        for k, angle in enumerate((up, -right, roll)):
            by = np.zeros(4)
            mujoco.mju_axisAngle2Quat(by, np.eye(3)[k], angle)
            mujoco.mju_mulQuat(model.cam_quat[camera], model.cam_quat[camera].copy(), by)
        model.cam_pos[camera] += shift

    def look(self):
        """Draws the scene as it is now. The lamp burns a little otherwise each time."""
        self.cell.model.light('lamp').diffuse[:] = self.lamp * (1 + self.cell.random.normal(0, 0.02))
        self.renderer.update_scene(self.cell.data, self.camera, self.option)
        drawn = self.renderer.render()
        height, width, _ = drawn.shape
        self.scene = drawn.reshape(height // 2, 2, width // 2, 2, 3).mean((1, 3), dtype=np.float32)
        return self.scene

    def shoot(self):
        """An image of what look saw last, as the sensor gives it."""
        random = self.cell.random
        self.flicker = 0.8 * self.flicker + random.normal(0, 0.008)
        noise = random.standard_normal(self.scene.shape, dtype=np.float32)
        return np.clip(self.scene * (1 + self.flicker) + 2 * noise, 0, 255).astype(np.uint8)
