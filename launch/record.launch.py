"""Record transitions on a rig: the recorder beside the rig's camera and skill executor.

    ros2 launch strips_wm record.launch.py directory:=runs/bag camera:=/camera/image_raw
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution, PythonExpression
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    config = PathJoinSubstitution([FindPackageShare('strips_wm'), 'launch', 'config', 'recorder.yaml'])
    dds = PythonExpression(["'_dds' if '", LaunchConfiguration('transport'), "' == 'dds' else ''"])  # the end of the programs' names
    return LaunchDescription([
        DeclareLaunchArgument('transport', default_value='rmw', choices=['rmw', 'dds'], description='rmw: the rmw that is configured; dds: CycloneDDS'),
        DeclareLaunchArgument('params_file', default_value=config, description="the recorder's parameters"),
        DeclareLaunchArgument('directory', default_value='', description='bag to make; empty: named by date and time'),
        DeclareLaunchArgument('continue', default_value='false', description='go on with a recording that is in directory'),
        DeclareLaunchArgument('camera', default_value='/camera/image_raw', description='the camera topic, without /compressed'),
        DeclareLaunchArgument('image_transport', default_value='auto', description='auto, raw or compressed'),
        DeclareLaunchArgument('skill_status', default_value='/skill_status', description="the skill executor's status topic"),
        DeclareLaunchArgument('scene_reset', default_value='/scene_reset', description='where it is said that somebody changed the scene'),
        DeclareLaunchArgument('use_sim_time', default_value='false'),
        Node(
            package='strips_wm', executable=['recorder', dds], name='recorder', output='screen', sigterm_timeout='2',
            parameters=[LaunchConfiguration('params_file'), {
                'directory': ParameterValue(LaunchConfiguration('directory'), value_type=str),
                'continue': ParameterValue(LaunchConfiguration('continue'), value_type=bool),
                'image_transport': LaunchConfiguration('image_transport'),
                'use_sim_time': ParameterValue(LaunchConfiguration('use_sim_time'), value_type=bool),
            }],
            remappings=[
                ('camera/image_raw', LaunchConfiguration('camera')),
                ('camera/image_raw/compressed', [LaunchConfiguration('camera'), '/compressed']),
                ('skill_status', LaunchConfiguration('skill_status')),
                ('scene_reset', LaunchConfiguration('scene_reset')),
            ],
        ),
    ])
