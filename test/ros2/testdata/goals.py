"""Has the planner reach what the rig's camera shows in other states, and counts how often it does. /skill tells its own skills."""
import sys

import rclpy
from rclpy.action import ActionClient
from sensor_msgs.msg import Image
from std_msgs.msg import String
from strips_wm_msgs.action import ExecuteSkill, PlanToImage

rclpy.init()
node = rclpy.create_node('client')
plan = ActionClient(node, PlanToImage, 'plan_to_image')
skills = ActionClient(node, ExecuteSkill, 'execute_skill')
told = node.create_publisher(String, 'skill', 10)
latest = []
node.create_subscription(Image, 'camera/image_raw', latest.append, rclpy.qos.qos_profile_sensor_data)


def wait(future):
    rclpy.spin_until_future_complete(node, future, timeout_sec=60)
    return future.result()


def do(client, goal):
    assert client.wait_for_server(60), 'no server'
    handle = wait(client.send_goal_async(goal))
    assert handle.accepted, 'goal rejected'
    return wait(handle.get_result_async()).result


def await_recorder(name):  # a message that it misses is an attempt that its recording lacks
    for topic in ['camera/image_raw', 'skill', 'transitions']:
        while not any(s.node_name == name for s in node.get_subscriptions_info_by_topic(topic)):
            rclpy.spin_once(node, timeout_sec=0.1)


def image():
    latest.clear()
    while len(latest) < 3:
        rclpy.spin_once(node, timeout_sec=60)
    return latest[-1]


await_recorder('rosbag2_recorder')
reached, count = 0, int(sys.argv[1])
for _ in range(count):
    goal = image()
    for action in range(1, 19):  # away from it by the first skill that applies
        told.publish(String(data=f'start {action}'))
        succeeded = do(skills, ExecuteSkill.Goal(action=action)).outcome == ExecuteSkill.Result.SUCCEEDED
        told.publish(String(data='done' if succeeded else 'refused'))
        if succeeded:
            break
    result = do(plan, PlanToImage.Goal(goal_image=goal, execute=True))
    print(result.error_code, result.error_msg, result.executed, flush=True)
    reached += result.error_code == 0 and result.executed > 0
print(f'reached {reached} of {count}')
