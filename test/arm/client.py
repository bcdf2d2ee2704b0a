"""A client of the arm and of this project's nodes, for the tests."""

import collections
import json

import rclpy
from rclpy.action import ActionClient
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import Image
from std_msgs.msg import String
from strips_wm_msgs.action import ExecuteSkill, PlanToImage
from strips_wm_msgs.msg import Transition

import judge


class Client(Node):

    def __init__(self):
        super().__init__('client')
        self.truth, self.transitions, self.images, self.asked = None, collections.deque(), 0, ''
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.create_subscription(String, 'arm/truth', self.see, latched)
        self.create_subscription(Transition, 'transitions', lambda m: self.transitions.append(m), 100)
        self.create_subscription(Image, 'camera/image_raw', self.count, 100)
        self.create_subscription(String, 'explorer/reset_request', self.hear, latched)
        self.skills = ActionClient(self, ExecuteSkill, 'execute_skill')
        self.plans = ActionClient(self, PlanToImage, 'plan_to_image')
        self.putter = self.create_publisher(String, 'arm/put', 10)

    def see(self, message):
        self.truth = json.loads(message.data)

    def count(self, _):
        self.images += 1

    def hear(self, message):
        self.asked = message.data  # why somebody has to change the scene

    def until(self, holds, seconds=120):
        """Spins until something holds."""
        end = self.get_clock().now().nanoseconds + seconds * 1e9
        while not holds():
            if self.get_clock().now().nanoseconds > end:
                raise TimeoutError(f'waited {seconds} s in vain')
            rclpy.spin_once(self, timeout_sec=0.1)

    def look(self):
        """Waits for images of the scene as it is: the first may be one from before."""
        seen = self.images
        self.until(lambda: self.images > seen + 2)

    def transition(self, seconds=20):
        """What the recorder made of the last skill; None if it left the attempt out, as its log says."""
        try:
            self.until(lambda: self.transitions, seconds)
        except TimeoutError:
            return None
        return self.transitions.popleft()

    def wait(self, future, seconds=300):
        self.until(future.done, seconds)
        return future.result()

    def state(self):
        self.until(lambda: self.truth)
        return judge.state(self.truth['objects'])

    def do(self, client, goal):
        if not client.wait_for_server(120):
            raise TimeoutError('no action server')
        handle = self.wait(client.send_goal_async(goal))
        if not handle.accepted:
            raise RuntimeError('the goal was rejected')
        return self.wait(handle.get_result_async()).result

    def skill(self, action):
        """Runs a skill, and returns when its truth is known."""
        self.state()
        before = self.truth['changes']
        self.do(self.skills, ExecuteSkill.Goal(action=action))
        self.until(lambda: self.truth['changes'] > before)

    def put(self, pads):
        """Has the objects put on pads."""
        self.state()
        before = self.truth['changes']
        self.until(lambda: self.putter.get_subscription_count())
        self.putter.publish(String(data=' '.join(map(str, pads))))
        self.until(lambda: self.truth['changes'] > before)

    def reach(self, pixels):
        """Has the planner reach what an image shows."""
        height, width, _ = pixels.shape
        image = Image(height=height, width=width, encoding='rgb8', step=3 * width, data=pixels.tobytes())
        return self.do(self.plans, PlanToImage.Goal(goal_image=image, execute=True))
