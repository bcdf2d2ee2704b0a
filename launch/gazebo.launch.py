"""The simulated rig with Gazebo as its eyes, and the planner and recorder beside it if asked for.

    ros2 launch strips_wm gazebo.launch.py gz:=harmonic world:=dinnertable record:=runs/bag   # ROS 2 Jazzy
    ros2 launch strips_wm gazebo.launch.py gz:=fortress                                       # ROS 2 Humble

Gazebo runs without a window. The rig executes skills by putting bodies in their places, through ros_gz_bridge, which publishes
the images and the clock. docs/gazebo.md says what version of it passes the service on.
"""

from shutil import which

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction, SetEnvironmentVariable
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution, PythonExpression
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

# The name of the variable that tells Gazebo its plugins, its program, and the version that gz_sim.launch.py asks for.
FORTRESS = {'variable': 'IGN_GAZEBO_SERVER_CONFIG_PATH', 'program': 'ign', 'version': '6'}
HARMONIC = {'variable': 'GZ_SIM_SERVER_CONFIG_PATH', 'program': 'gz', 'version': '8'}


def given(name):
    """Whether the argument is not empty."""
    return IfCondition(PythonExpression(["'", LaunchConfiguration(name), "' != ''"]))


def choose(key):
    """What the chosen Gazebo needs."""
    return PythonExpression(["'", FORTRESS[key], "' if '", LaunchConfiguration('gz'), "' == 'fortress' else '", HARMONIC[key], "'"])


def check(context):
    """Raises an error before anything starts, where there is no such Gazebo."""
    program, gz = (s.perform(context) for s in (choose('program'), LaunchConfiguration('gz')))
    if which(program) is None:
        raise RuntimeError(f'Gazebo {gz} is not installed: there is no program {program}; install it, or choose another with gz:=')


def generate_launch_description():
    launch = PathJoinSubstitution([FindPackageShare('strips_wm'), 'launch'])
    world = [launch, '/worlds/', LaunchConfiguration('world'), '.sdf']
    dds = PythonExpression(["'_dds' if '", LaunchConfiguration('transport'), "' == 'dds' else ''"])  # the end of the programs' names
    return LaunchDescription([
        DeclareLaunchArgument('transport', default_value='rmw', choices=['rmw', 'dds'], description='rmw: the rmw that is configured; dds: CycloneDDS'),
        DeclareLaunchArgument('gz', default_value='harmonic', choices=['fortress', 'harmonic'], description='which Gazebo is installed'),
        DeclareLaunchArgument('world', default_value='blocksworld', choices=['blocksworld', 'dinnertable', 'dinnertablereal']),
        DeclareLaunchArgument('skills', default_value='fixed', choices=['fixed', 'state-dependent'],
                              description='state-dependent: each does what fits, such as pick whatever is there'),
        DeclareLaunchArgument('params_file', default_value=PathJoinSubstitution([launch, 'config', 'simrig.yaml']), description="the rig's parameters"),
        DeclareLaunchArgument('bundle', default_value='', description='learned bundle to plan with; empty: no planner'),
        DeclareLaunchArgument('record', default_value='', description='bag to make; empty: no recorder'),
        OpaqueFunction(function=check),
        SetEnvironmentVariable(choose('variable'), [launch, '/config/gazebo_', LaunchConfiguration('gz'), '.config']),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py'])),
            launch_arguments={
                'gz_args': ['-r -s --headless-rendering ', *world],
                'gz_version': choose('version'),
                'on_exit_shutdown': 'true',
            }.items(),
        ),
        Node(
            package='ros_gz_bridge', executable='parameter_bridge', name='gazebo_bridge', output='screen',
            arguments=[['/world/', LaunchConfiguration('world'), '/set_pose@ros_gz_interfaces/srv/SetEntityPose']],
            parameters=[{'config_file': PathJoinSubstitution([launch, 'config', 'gazebo_bridge.yaml'])}],
        ),
        Node(
            package='strips_wm', executable=['simrig', dds], name='simrig', output='screen', sigterm_timeout='2',
            parameters=[LaunchConfiguration('params_file'), {
                'world': LaunchConfiguration('world'), 'skills': LaunchConfiguration('skills'),
                'world_backend': 'ros_gz', 'use_sim_time': True,
            }],
        ),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([launch, 'plan.launch.py'])),
            launch_arguments={
                'bundle': LaunchConfiguration('bundle'), 'use_sim_time': 'true',
                'params_file': PathJoinSubstitution([launch, 'config', 'planner.yaml']),
            }.items(),
            condition=given('bundle'),
        ),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution([launch, 'record.launch.py'])),
            launch_arguments={
                'directory': LaunchConfiguration('record'), 'use_sim_time': 'true',
                'params_file': PathJoinSubstitution([launch, 'config', 'recorder.yaml']),
            }.items(),
            condition=given('record'),
        ),
    ])
