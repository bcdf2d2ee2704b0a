"""Plan on a robot: the planner beside the robot's camera and skill executor.

    ros2 launch strips_wm plan.launch.py bundle:=runs/table/bundle device:=cuda
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution, PythonExpression
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    config = PathJoinSubstitution([FindPackageShare('strips_wm'), 'launch', 'config', 'planner.yaml'])
    dds = PythonExpression(["'_dds' if '", LaunchConfiguration('transport'), "' == 'dds' else ''"])  # the end of the programs' names
    return LaunchDescription([
        DeclareLaunchArgument('transport', default_value='rmw', choices=['rmw', 'dds'], description='rmw: the rmw that is configured; dds: CycloneDDS'),
        DeclareLaunchArgument('bundle', description='directory of the learned bundle'),
        DeclareLaunchArgument('device', default_value='cpu', description='where the classifier runs: cpu, cuda or tensorrt'),
        DeclareLaunchArgument('params_file', default_value=config, description="the planner's parameters"),
        DeclareLaunchArgument('camera', default_value='/camera/image_raw', description='the camera topic, without /compressed'),
        DeclareLaunchArgument('image_transport', default_value='auto', description='auto, raw or compressed'),
        DeclareLaunchArgument('goal_image', default_value='/goal_image', description='topic of goal images'),
        DeclareLaunchArgument('execute_skill', default_value='/execute_skill', description="the skill executor's action"),
        DeclareLaunchArgument('use_sim_time', default_value='false'),
        DeclareLaunchArgument('autostart', default_value='true', description='configure and activate at start'),
        Node(
            package='strips_wm', executable=['planner', dds], name='planner', output='screen', sigterm_timeout='2',
            parameters=[LaunchConfiguration('params_file'), {
                'bundle': ParameterValue(LaunchConfiguration('bundle'), value_type=str),
                'device': LaunchConfiguration('device'),
                'image_transport': LaunchConfiguration('image_transport'),
                'autostart': ParameterValue(LaunchConfiguration('autostart'), value_type=bool),
                'use_sim_time': ParameterValue(LaunchConfiguration('use_sim_time'), value_type=bool),
            }],
            remappings=[
                ('camera/image_raw', LaunchConfiguration('camera')),
                ('camera/image_raw/compressed', [LaunchConfiguration('camera'), '/compressed']),
                ('goal_image', LaunchConfiguration('goal_image')),
                ('goal_image/compressed', [LaunchConfiguration('goal_image'), '/compressed']),
            ] + [
                ('execute_skill/_action/' + part, [LaunchConfiguration('execute_skill'), '/_action/' + part])
                for part in ('send_goal', 'get_result', 'cancel_goal', 'feedback', 'status')
            ],
        ),
    ])
