"""A client of launch/examples/robot.py: "blocks.py attempts 150" has it try skills for the recorder, "blocks.py goals 50" has the planner
reach what the robot would show in other states, and counts how often it does."""
import pathlib
import sys
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.action import ActionClient
from sensor_msgs.msg import Image
from strips_wm_msgs.action import ExecuteSkill, PlanToImage
from strips_wm_msgs.msg import SkillStatus, Transition

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / 'launch/examples'))
from robot import SKILLS, Refused, Table  # noqa: E402

rclpy.init()
node = rclpy.create_node('client')
there, told, recorded, said = Table(), {}, [], []  # there: where the blocks are by what the robot says


def until(holds, what, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            sys.exit(f'never: {what}; /diagnostics of {sorted(told)}')
        rclpy.spin_once(node, timeout_sec=0.1)


def do(client, goal):
    future = client.send_goal_async(goal)
    until(future.done, 'an answer to a goal')
    future = future.result().get_result_async()
    until(future.done, 'the result of a goal')
    return future.result().result


def hear(status):
    said.append(status)
    if status.phase == SkillStatus.SUCCEEDED:
        there.move(status.action)


def applies(action, table):
    trial = Table()
    trial.spots = list(table.spots)
    try:
        trial.move(action)
    except Refused:
        return False
    return True


def wander(table):
    """A skill, nine times in ten one that applies."""
    every = list(range(1, len(SKILLS) + 1))
    some = [a for a in every if applies(a, table)]
    return int(table.random.choice(some if table.random.random() < 0.9 else every))


def attempts(count):
    skills = ActionClient(node, ExecuteSkill, 'execute_skill')
    node.create_subscription(Transition, 'transitions', recorded.append, 100)
    until(lambda: skills.server_is_ready() and node.count_publishers('transitions'), 'robot and recorder')
    until(lambda: any(int(v.get('images received', 0)) for v in told.values()), 'the recorder receives images')
    until(lambda: node.count_subscribers('skill_status') > 1, 'the recorder hears the robot')
    for i in range(1, count + 1):
        do(skills, ExecuteSkill.Goal(action=wander(there)))
        until(lambda: len(recorded) >= i, f'attempt {i} is recorded')
    print(f'{count} attempts')


def goals(count):
    plans, reached = ActionClient(node, PlanToImage, 'plan_to_image'), 0
    until(lambda: plans.server_is_ready() and told.get('/cell/planner', {}).get('lifecycle') == 'active', 'the planner is active')
    for _ in range(count):
        goal = Table()
        while goal.spots == there.spots:
            for _ in range(20):
                action = wander(goal)
                goal.move(action) if applies(action, goal) else None
        pixels = goal.image()
        image = Image(height=pixels.shape[0], width=pixels.shape[1], encoding='rgb8', step=3 * pixels.shape[1], data=pixels.tobytes())
        result = do(plans, PlanToImage.Goal(goal_image=image, execute=True))
        if result.error_code:
            print(result.error_code, result.error_msg, there.spots, goal.spots)
            continue
        until(lambda: there.spots == goal.spots, f'the robot says that the blocks are at {goal.spots}, not {there.spots}')
        reached += 1
    print(f'reached {reached} of {count}')


node.create_subscription(SkillStatus, 'skill_status', hear, 100)
node.create_subscription(DiagnosticArray, '/diagnostics', lambda m: told.update(
    {s.name.split(':')[0]: {v.key: v.value for v in s.values} for s in m.status}), 10)
until(lambda: said, 'the robot says that it is idle: what it does before it has found this node would be missed')
{'attempts': attempts, 'goals': goals}[sys.argv[1]](int(sys.argv[2]))
