"""Answers some commands of ROS 2's command line, which PyPI lacks, as that does: ros2.py param get /planner bundle."""
import importlib
import sys
import time

import rclpy
import yaml
from action_msgs.msg import GoalStatus
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState, GetAvailableTransitions, GetState
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters, SetParameters
from rclpy.action import ActionClient, get_action_names_and_types, get_action_server_names_and_types_by_node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

FIELDS = {  # of ParameterValue, by type
    ParameterType.PARAMETER_BOOL: 'bool_value', ParameterType.PARAMETER_INTEGER: 'integer_value',
    ParameterType.PARAMETER_DOUBLE: 'double_value', ParameterType.PARAMETER_STRING: 'string_value',
    ParameterType.PARAMETER_STRING_ARRAY: 'string_array_value'}
NAMES = {value: name.removeprefix('PARAMETER_').lower() for name, value in vars(ParameterType).items() if name.startswith('PARAMETER')}
STATUS = {value: name.removeprefix('STATUS_') for name, value in vars(GoalStatus).items() if name.startswith('STATUS')}


def until(found, what, seconds=60):
    end = time.monotonic() + seconds
    while not (result := found()):
        if time.monotonic() > end:
            sys.exit(f'found no {what}')
        rclpy.spin_once(node, timeout_sec=0.1)
    return result


def wait(future, seconds=60):
    rclpy.spin_until_future_complete(node, future, timeout_sec=seconds)
    return future.result() if future.done() else sys.exit('no answer')


def load(kind):
    package, folder, name = kind.split('/')
    return getattr(importlib.import_module(f'{package}.{folder}'), name)


def filled(message, text):
    for field, value in (yaml.safe_load(text) or {}).items():
        setattr(message, field, value)
    return message


def call(kind, name, request):
    client = node.create_client(kind, name)
    print(f'waiting for service {name}', flush=True) if not client.service_is_ready() else None
    until(client.service_is_ready, f'service {name}')
    return wait(client.call_async(request))


def fields(message, arrays, indent=''):
    for name in message.get_fields_and_field_types():
        value = getattr(message, name)
        if hasattr(value, 'get_fields_and_field_types'):
            yield f'{indent}{name}:'
            yield from fields(value, arrays, indent + '  ')
        elif arrays or isinstance(value, (bool, int, float, str)):
            yield f'{indent}{name}: {value}'


def parameters(name):
    names = call(ListParameters, f'{name}/list_parameters', ListParameters.Request()).result.names
    values = call(GetParameters, f'{name}/get_parameters', GetParameters.Request(names=names)).values
    return {n: getattr(v, FIELDS[v.type]) if v.type in FIELDS else None for n, v in zip(names, values)}


def endpoint(topic):
    return until(lambda: node.get_publishers_info_by_topic(topic), f'publisher of {topic}')


def echo(topic, kind=None, arrays=True):
    kind = load(kind or endpoint(topic)[0].topic_type)
    publishers = node.get_publishers_info_by_topic(topic)
    kept = publishers and all(p.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL for p in publishers)
    qos = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE if kept else ReliabilityPolicy.BEST_EFFORT,
                     durability=DurabilityPolicy.TRANSIENT_LOCAL if kept else DurabilityPolicy.VOLATILE)
    got = []
    node.create_subscription(kind, topic, got.append, qos)
    until(lambda: got, f'message on {topic}')
    return fields(got[0], arrays)


def send_goal(action, kind, text):
    client = ActionClient(node, load(kind), action)
    until(client.server_is_ready, f'server of {action}')
    handle = wait(client.send_goal_async(filled(load(kind).Goal(), text)))
    if not handle.accepted:
        return ['Goal was rejected.']
    result = wait(handle.get_result_async(), 100)
    return [*fields(result.result, True), f'Goal finished with status: {STATUS[result.status]}']


def typed(names_and_types):
    return [f'{name} [{", ".join(types)}]' for name, types in names_and_types]


def look(seconds):  # the graph as others have told of it by then
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)


def answer(noun, verb, *arguments):
    match noun, verb, *(a for a in arguments if not a.startswith('-')):
        case 'node', 'list':
            return [f'{namespace.rstrip("/")}/{name}' for name, namespace in node.get_node_names_and_namespaces()]
        case 'node', 'info', name:
            namespace, _, base = name.rpartition('/')
            found = until(lambda: get_action_server_names_and_types_by_node(node, base, namespace or '/'), f'actions of {name}')
            return [f'{action}: {types[0]}' for action, types in found]
        case 'lifecycle', 'nodes':
            return [n.removesuffix('/get_state') for n, types in node.get_service_names_and_types() if 'lifecycle_msgs/srv/GetState' in types]
        case 'lifecycle', 'get', name:
            state = call(GetState, f'{name}/get_state', GetState.Request()).current_state
            return [f'{state.label} [{state.id}]']
        case 'lifecycle', 'list', name:
            found = call(GetAvailableTransitions, f'{name}/get_available_transitions', GetAvailableTransitions.Request())
            return [f'- {t.transition.label} [{t.transition.id}]' for t in found.available_transitions]
        case 'lifecycle', 'set', name, label:
            done = call(ChangeState, f'{name}/change_state', ChangeState.Request(transition=Transition(label=label)))
            return ['Transitioning successful' if done.success else 'Transitioning failed']
        case 'topic', 'list':
            return typed(node.get_topic_names_and_types())
        case 'topic', 'info', topic:
            return [f'Reliability: {p.qos_profile.reliability.name}' for p in endpoint(topic)]
        case 'topic', 'echo', topic, *kind:
            return echo(topic, *kind, arrays='--no-arr' not in arguments)
        case 'service', 'list':
            return typed(node.get_service_names_and_types())
        case 'service', 'call', name, kind, *text:
            return [str(call(load(kind), name, filled(load(kind).Request(), *text or ['{}'])))]
        case 'action', 'list':
            return typed(get_action_names_and_types(node))
        case 'action', 'info', action:
            until(ActionClient(node, load(dict(get_action_names_and_types(node))[action][0]), action).server_is_ready, action)
            return ['Action servers: 1']
        case 'action', 'send_goal', action, kind, text:
            return send_goal(action, kind, text)
        case 'param', 'list', name:
            return list(parameters(name))
        case 'param', 'describe', name, parameter:
            found = call(DescribeParameters, f'{name}/describe_parameters', DescribeParameters.Request(names=[parameter])).descriptors
            return [f'Type: {NAMES[d.type]}\nDescription: {d.description}' for d in found]
        case 'param', 'get', name, parameter:
            return [f'value is: {parameters(name)[parameter]}']
        case 'param', 'set', name, parameter, text:
            value, kind = yaml.safe_load(text), {bool: 1, int: 2, float: 3, str: 4}
            new = Parameter(name=parameter, value=ParameterValue(type=kind[type(value)], **{FIELDS[kind[type(value)]]: value}))
            done = call(SetParameters, f'{name}/set_parameters', SetParameters.Request(parameters=[new])).results[0]
            return ['Set parameter successful' if done.successful else f'Setting parameter failed: {done.reason}']
        case 'param', 'dump', name:
            return [f'{n}: {v}' for n, v in parameters(name).items()]
    sys.exit('no such command')


rclpy.init()
node = rclpy.create_node('_ros2')
if sys.argv[2] in ('list', 'nodes', 'info'):
    look(1.5)
for line in answer(*sys.argv[1:]):
    print(line)
