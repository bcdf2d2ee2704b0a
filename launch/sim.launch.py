"""A simulated rig, and the planner and recorder beside it if asked for.

    ros2 launch strips_wm sim.launch.py bundle:=runs/demo/bundle
    ros2 launch strips_wm sim.launch.py record:=runs/bag
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution, PythonExpression
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def given(name):
    """Whether the argument is not empty."""
    return IfCondition(PythonExpression(["'", LaunchConfiguration(name), "' != ''"]))


def generate_launch_description():
    launch = PathJoinSubstitution([FindPackageShare('strips_wm'), 'launch'])
    config = PathJoinSubstitution([launch, 'config', 'simrig.yaml'])
    dds = PythonExpression(["'_dds' if '", LaunchConfiguration('transport'), "' == 'dds' else ''"])  # the end of the programs' names
    return LaunchDescription([
        DeclareLaunchArgument('transport', default_value='rmw', choices=['rmw', 'dds'], description='rmw: the rmw that is configured; dds: CycloneDDS'),
        DeclareLaunchArgument(
            'world', default_value='blocksworld',
            choices=['blocksworld', 'boxstacking', 'depot', 'dinnertable', 'dinnertablereal', 'keydoor', 'kitchen', 'lamp', 'lamps', 'lids',
                     'moves', 'movesreal', 'picks', 'picksreal', 'slidingpuzzle', 'sweep', 'switches'],
        ),
        DeclareLaunchArgument('skills', default_value='fixed', choices=['fixed', 'state-dependent'],
                              description='state-dependent: each does what fits, such as pick whatever is there'),
        DeclareLaunchArgument('params_file', default_value=config, description="the rig's parameters"),
        DeclareLaunchArgument('bundle', default_value='', description='learned bundle to plan with; empty: no planner'),
        DeclareLaunchArgument('record', default_value='', description='bag to make; empty: no recorder'),
        Node(
            package='strips_wm', executable=['simrig', dds], name='simrig', output='screen', sigterm_timeout='2',
            parameters=[LaunchConfiguration('params_file'), {'world': LaunchConfiguration('world'), 'skills': LaunchConfiguration('skills')}],
        ),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([launch, 'plan.launch.py'])),
            launch_arguments={
                'bundle': LaunchConfiguration('bundle'), 'goal_image': '/simrig/goal_image',
                'params_file': PathJoinSubstitution([launch, 'config', 'planner.yaml']),
            }.items(),
            condition=given('bundle'),
        ),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([launch, 'record.launch.py'])),
            launch_arguments={
                'directory': LaunchConfiguration('record'),
                'params_file': PathJoinSubstitution([launch, 'config', 'recorder.yaml']),
            }.items(),
            condition=given('record'),
        ),
    ])
