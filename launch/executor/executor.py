#!/usr/bin/env python3
"""A skill executor to begin with, in Python: put your robot's skills into move()."""

import math
import threading

import rclpy
from rclpy.action import ActionServer, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.node import Node
from strips_wm_msgs.action import ExecuteSkill
from strips_wm_msgs.msg import SkillStatus
from unique_identifier_msgs.msg import UUID


class Refused(Exception):
    """The skill does not apply, and nothing was moved."""


def move(action):
    """Moves the robot, and returns when it is at rest. Raises Refused, or anything else if nobody knows what was moved."""
    raise Refused(f'skill {action} is not written yet')


class Executor(Node):

    def __init__(self):
        super().__init__('executor')
        self.arm = threading.Lock()  # held while a skill runs
        self.status = self.create_publisher(SkillStatus, 'skill_status', 100)
        self.server = ActionServer(self, ExecuteSkill, 'execute_skill', self.execute, goal_callback=self.accept,
                                   callback_group=ReentrantCallbackGroup())
        self.create_timer(1.0, self.idle, callback_group=ReentrantCallbackGroup())

    def accept(self, goal):
        return GoalResponse.REJECT if goal.action == 0 or self.arm.locked() else GoalResponse.ACCEPT

    def idle(self):
        if not self.arm.locked():
            self.tell(UUID(), 0, SkillStatus.IDLE)

    def execute(self, handle):
        """Says when the robot is about to move and when it is at rest again."""
        with self.arm:
            execution, action = UUID(uuid=handle.goal_id.uuid), handle.request.action
            result = ExecuteSkill.Result(started=self.tell(execution, action, SkillStatus.STARTED))
            try:
                move(action)
                result.outcome, phase = ExecuteSkill.Result.SUCCEEDED, SkillStatus.SUCCEEDED
            except Refused as e:
                result.outcome, phase, result.message = ExecuteSkill.Result.REFUSED, SkillStatus.REFUSED, str(e)
            except Exception as e:
                result.outcome, phase, result.message = ExecuteSkill.Result.FAILED, SkillStatus.FAILED, str(e)
            result.ended = self.tell(execution, action, phase, result.message)
            handle.succeed() if phase == SkillStatus.SUCCEEDED else handle.abort()
            return result

    def tell(self, execution, action, phase, message=''):
        status = SkillStatus(execution_id=execution, action=action, phase=phase, progress=math.nan, message=message)
        status.header.stamp = self.get_clock().now().to_msg()
        self.status.publish(status)
        return status.header.stamp


def main():
    try:
        rclpy.init()
        rclpy.spin(Executor(), MultiThreadedExecutor())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == '__main__':
    main()
