"""Have a robot record by itself: explorer and recorder beside its camera and skill executor.

    ros2 launch strips_wm explore.launch.py directory:=runs/bag actions:=18 camera:=/camera/image_raw
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution, PythonExpression
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    launch = PathJoinSubstitution([FindPackageShare('strips_wm'), 'launch'])
    config = PathJoinSubstitution([launch, 'config'])
    dds = PythonExpression(["'_dds' if '", LaunchConfiguration('transport'), "' == 'dds' else ''"])  # the end of the programs' names
    return LaunchDescription([
        DeclareLaunchArgument('transport', default_value='rmw', choices=['rmw', 'dds'], description='rmw: the rmw that is configured; dds: CycloneDDS'),
        DeclareLaunchArgument('directory', description='bag to make, or to go on with'),
        DeclareLaunchArgument('actions', description="number of the executor's skills"),
        DeclareLaunchArgument('params_file', default_value=PathJoinSubstitution([config, 'explorer.yaml']), description="the explorer's parameters"),
        DeclareLaunchArgument('recorder_params_file', default_value=PathJoinSubstitution([config, 'recorder.yaml']), description="the recorder's parameters"),
        DeclareLaunchArgument('camera', default_value='/camera/image_raw', description='the camera topic, without /compressed'),
        DeclareLaunchArgument('image_transport', default_value='auto', description='auto, raw or compressed'),
        DeclareLaunchArgument('skill_status', default_value='/skill_status', description="the skill executor's status topic"),
        DeclareLaunchArgument('execute_skill', default_value='/execute_skill', description="the skill executor's action"),
        DeclareLaunchArgument('scene_reset', default_value='/scene_reset', description='where it is said that somebody changed the scene'),
        DeclareLaunchArgument('use_sim_time', default_value='false'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([launch, 'record.launch.py'])),
            launch_arguments={
                'directory': LaunchConfiguration('directory'),
                'continue': 'true',
                'params_file': LaunchConfiguration('recorder_params_file'),
                'camera': LaunchConfiguration('camera'),
                'image_transport': LaunchConfiguration('image_transport'),
                'skill_status': LaunchConfiguration('skill_status'),
                'scene_reset': LaunchConfiguration('scene_reset'),
                'use_sim_time': LaunchConfiguration('use_sim_time'),
            }.items(),
        ),
        Node(
            package='strips_wm', executable=['explorer', dds], name='explorer', output='screen', sigterm_timeout='2',
            parameters=[LaunchConfiguration('params_file'), {
                'bag': ParameterValue(LaunchConfiguration('directory'), value_type=str),
                'actions': ParameterValue(LaunchConfiguration('actions'), value_type=int),
                'image_transport': LaunchConfiguration('image_transport'),
                'use_sim_time': ParameterValue(LaunchConfiguration('use_sim_time'), value_type=bool),
            }],
            remappings=[
                ('camera/image_raw', LaunchConfiguration('camera')),
                ('camera/image_raw/compressed', [LaunchConfiguration('camera'), '/compressed']),
                ('skill_status', LaunchConfiguration('skill_status')),
                ('scene_reset', LaunchConfiguration('scene_reset')),
            ] + [
                ('execute_skill/_action/' + part, [LaunchConfiguration('execute_skill'), '/_action/' + part])
                for part in ('send_goal', 'get_result', 'cancel_goal', 'feedback', 'status')
            ],
        ),
    ])
