#!/usr/bin/env python3
"""A robot to begin with, in Python: two blocks on a table, skills that pick and place them, and a camera. Put your robot's skills into
Table.move(), and leave out what draws if you have a camera."""

import math
import threading
import time

import numpy as np
import rclpy
from rclpy.action import ActionServer, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import Image
from strips_wm_msgs.action import ExecuteSkill
from strips_wm_msgs.msg import SkillStatus
from unique_identifier_msgs.msg import UUID

COLOURS = [200, 50, 40], [40, 70, 200]
SPOTS = np.array([[30, 85], [80, 85], [130, 85], [80, 25]])  # x, y in the image: three places on the table, and the hand
HAND = 3
SKILLS = [(kind, block, place) for kind in ('pick', 'place') for block in (0, 1) for place in (0, 1, 2)]  # ids from 1


class Refused(Exception):
    """The skill does not apply, and nothing was moved."""


class Table:

    def __init__(self):
        self.spots, self.random = [0, 1], np.random.default_rng()  # where each block is
        self.centres = SPOTS[self.spots].astype(float)

    def move(self, action, seconds=0.0):
        """Runs a skill, and returns when the robot is at rest. Raises Refused, or anything else if nobody knows what was moved."""
        kind, block, place = SKILLS[action - 1]
        start, end = (place, HAND) if kind == 'pick' else (HAND, place)
        if self.spots[block] != start or end in self.spots:
            raise Refused(f'cannot {kind} block {block} at place {place}')
        self.spots[block] = end
        for centre in np.linspace(self.centres[block], SPOTS[end], 15):
            self.centres[block] = centre
            time.sleep(seconds / 15)

    def image(self):
        pixels = np.full((120, 160, 3), 150.0)
        for (x, y), size, colour in [*((s, 22, [110] * 3) for s in SPOTS[:HAND]), *((c, 15, k) for c, k in zip(self.centres, COLOURS))]:
            pixels[round(y) - size:round(y) + size, round(x) - size:round(x) + size] = colour
        return (pixels + self.random.normal(0, 3, pixels.shape)).clip(0, 255).astype(np.uint8)


class Robot(Node):

    def __init__(self):
        super().__init__('robot')
        self.table, self.arm = Table(), threading.Lock()  # held while a skill runs
        self.seconds = self.declare_parameter('skill_duration', 0.5).value
        self.images = self.create_publisher(Image, 'camera/image_raw', qos_profile_sensor_data)
        self.status = self.create_publisher(SkillStatus, 'skill_status', 100)
        group = ReentrantCallbackGroup()
        self.server = ActionServer(self, ExecuteSkill, 'execute_skill', self.execute, goal_callback=self.accept, callback_group=group)
        self.create_timer(1 / 30, self.look)
        self.create_timer(1.0, lambda: self.arm.locked() or self.tell(UUID(), 0, SkillStatus.IDLE), callback_group=group)

    def look(self):
        pixels = self.table.image()
        image = Image(height=pixels.shape[0], width=pixels.shape[1], encoding='rgb8', step=3 * pixels.shape[1], data=pixels.tobytes())
        image.header.stamp, image.header.frame_id = self.get_clock().now().to_msg(), 'camera'
        self.images.publish(image)

    def accept(self, goal):
        return GoalResponse.ACCEPT if 1 <= goal.action <= len(SKILLS) and not self.arm.locked() else GoalResponse.REJECT

    def execute(self, handle):
        """Says when the robot is about to move and when it is at rest again."""
        with self.arm:
            execution, action = UUID(uuid=handle.goal_id.uuid), handle.request.action
            result, name = ExecuteSkill.Result(started=self.tell(execution, action, SkillStatus.STARTED)), 'SUCCEEDED'
            try:
                self.table.move(action, self.seconds)
            except Exception as e:
                name, result.message = 'REFUSED' if isinstance(e, Refused) else 'FAILED', str(e)
            result.outcome = getattr(ExecuteSkill.Result, name)
            result.ended = self.tell(execution, action, getattr(SkillStatus, name), result.message)
            handle.succeed() if name == 'SUCCEEDED' else handle.abort()
            return result

    def tell(self, execution, action, phase, message=''):
        status = SkillStatus(execution_id=execution, action=action, phase=phase, progress=math.nan, message=message)
        status.header.stamp = self.get_clock().now().to_msg()
        self.status.publish(status)
        return status.header.stamp


def main():
    rclpy.init(signal_handler_options=SignalHandlerOptions.SIGTERM)  # at ^C ROS 2 stays until no thread publishes any more
    executor = MultiThreadedExecutor()
    try:
        rclpy.spin(Robot(), executor)
    except (KeyboardInterrupt, ExternalShutdownException):
        executor.shutdown()


if __name__ == '__main__':
    main()
