"""Runs a launch file's generate_launch_description with stand-ins for ROS's modules, and prints what it names.

A stand-in records how it was made, so that a name that is not imported, or a wrong argument of Python's, is found without ROS.
"""

import importlib.util
import sys
import types

TAKES = {  # keyword arguments, as in Humble and Jazzy
    'DeclareLaunchArgument': {'default_value', 'choices', 'description'},
    'ExecuteProcess': {'cmd', 'output', 'on_exit', 'sigterm_timeout', 'condition'},
    'IncludeLaunchDescription': {'launch_arguments', 'condition'},
    'Node': {'package', 'executable', 'name', 'output', 'arguments', 'parameters', 'remappings', 'sigterm_timeout', 'condition'},
    'OpaqueFunction': {'function', 'condition'},
    'ParameterValue': {'value_type'},
    'SetEnvironmentVariable': {'condition'},
}


def stand_in(name):
    def make(self, *args, **kwargs):
        wrong = set(kwargs) - TAKES.get(name, set())
        if wrong:
            raise TypeError(f'{name} takes no {wrong}')
        self.args, self.kwargs = args, kwargs
        texts = (v[0] if isinstance(v, list) and v else v for v in [*args, *kwargs.values()])  # of a list, what it begins with
        print(name, *[v for v in texts if isinstance(v, str)])
    return type(name, (), {'__init__': make})


for module, names in {
    'launch': ['LaunchDescription'],
    'launch.actions': ['DeclareLaunchArgument', 'ExecuteProcess', 'IncludeLaunchDescription', 'OpaqueFunction',
                       'SetEnvironmentVariable', 'Shutdown'],
    'launch.conditions': ['IfCondition'],
    'launch.launch_description_sources': ['PythonLaunchDescriptionSource'],
    'launch.substitutions': ['LaunchConfiguration', 'PathJoinSubstitution', 'PythonExpression'],
    'launch_ros': [],
    'launch_ros.actions': ['Node'],
    'launch_ros.parameter_descriptions': ['ParameterValue'],
    'launch_ros.substitutions': ['FindPackageShare'],
}.items():
    sys.modules[module] = types.ModuleType(module)
    for name in names:
        setattr(sys.modules[module], name, stand_in(name))

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location('launched', sys.argv[1])
launched = importlib.util.module_from_spec(spec)
spec.loader.exec_module(launched)
launched.generate_launch_description()
