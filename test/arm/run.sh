#!/usr/bin/env bash
# Runs a command where ROS 2, this project's messages and MuJoCo are at hand, and where nodes hear this machine alone. ROS 2 is the
# one that is sourced, or one in /opt/ros, or that of `make setup-ros`.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

bring() { set +u; source "$1"; set -u; }
if [ -z "${AMENT_PREFIX_PATH:-}" ]; then
	for setup in /opt/ros/*/setup.bash "$root"/.deps/ros/jazzy/setup.bash; do
		[ ! -e "$setup" ] || { bring "$setup"; break; }
	done
fi
[ -n "${AMENT_PREFIX_PATH:-}" ] || { echo "arm: no ROS 2 is sourced, or is in /opt/ros: run make setup-ros" >&2; exit 1; }
[ -e "$root/.deps/arm/requirements.txt" ] || { echo "arm: run make setup-arm first" >&2; exit 1; }

# The messages are built for Debian's Python, as ROS 2 is. One command builds at a time.
messages=$root/bin/arm/$ROS_DISTRO
mkdir -p "$messages"
(
	flock 9
	[ -z "$(find "$root"/msgs/{msg,srv,action,CMakeLists.txt,package.xml} -newer "$messages/built" 2>&1)" ] && exit
	cd "$messages"
	colcon --log-base log build --base-paths "$root/msgs" --cmake-args -DPYTHON_EXECUTABLE=/usr/bin/python3 -DPython3_EXECUTABLE=/usr/bin/python3 >colcon 2>&1 ||
		{ cat colcon >&2; exit 1; }
	touch built
) 9>"$messages/lock"
bring "$messages/install/local_setup.bash"

export PYTHONPATH=$PYTHONPATH:$(echo "$root"/.deps/arm/lib/python3*/site-packages) PYTHONUNBUFFERED=1
export ONNXRUNTIME_SHARED_LIBRARY_PATH=$root/.deps/onnxruntime/libonnxruntime.so.1
unset ROS_LOCALHOST_ONLY
export FASTRTPS_DEFAULT_PROFILES_FILE=$root/test/ros2/testdata/loopback.xml
exec "$@"
