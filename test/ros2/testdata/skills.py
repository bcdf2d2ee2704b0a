"""Sends goals to /our_skill, asks its node for a parameter and its state, and serves /their_skill."""
import time

import rclpy
from lifecycle_msgs.srv import ChangeState, GetState
from rcl_interfaces.srv import GetParameters
from rclpy.action import ActionClient, ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from strips_wm_msgs.action import ExecuteSkill

rclpy.init()
node = rclpy.create_node('theirs')
executor = MultiThreadedExecutor(4)
executor.add_node(node)


def execute(goal):
    """Succeeds with action 1 after a second; others go on until they are canceled."""
    end = time.monotonic() + 1
    while not goal.is_cancel_requested and (goal.request.action != 1 or time.monotonic() < end):
        goal.publish_feedback(ExecuteSkill.Feedback(progress=0.25))
        time.sleep(0.05)
    goal.canceled() if goal.is_cancel_requested else goal.succeed()
    return ExecuteSkill.Result(message='theirs')


ActionServer(node, ExecuteSkill, '/their_skill', execute, callback_group=ReentrantCallbackGroup(),
             cancel_callback=lambda _: CancelResponse.ACCEPT)


def done(future):
    executor.spin_until_future_complete(future, timeout_sec=60)
    return future.result()


def call(kind, name, request):
    client = node.create_client(kind, name)
    assert client.wait_for_service(60), name
    return done(client.call_async(request))


values = call(GetParameters, '/ours/get_parameters', GetParameters.Request(names=['note'])).values
print('parameter of', len(values[0].string_value), flush=True)
change = ChangeState.Request()
change.transition.id = 1
assert call(ChangeState, '/ours/change_state', change).success
print('state', call(GetState, '/ours/get_state', GetState.Request()).current_state.label, flush=True)

client = ActionClient(node, ExecuteSkill, '/our_skill')
assert client.wait_for_server(60)
goal = done(client.send_goal_async(
    ExecuteSkill.Goal(action=1),
    feedback_callback=lambda m: print('feedback', m.feedback.progress, flush=True)))
answer = done(goal.get_result_async())
print(f'result {answer.result.message}, status {answer.status}', flush=True)
goal = done(client.send_goal_async(ExecuteSkill.Goal(action=2)))
done(goal.cancel_goal_async())
print(f'canceled, status {done(goal.get_result_async()).status}', flush=True)
executor.spin()
