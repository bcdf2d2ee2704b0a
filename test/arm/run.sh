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

messages=$("$root/test/messages.sh")
bring "$messages"

export PYTHONPATH=$PYTHONPATH:$(echo "$root"/.deps/arm/lib/python3*/site-packages) PYTHONUNBUFFERED=1
export ONNXRUNTIME_SHARED_LIBRARY_PATH=$root/.deps/onnxruntime/libonnxruntime.so.1
unset ROS_LOCALHOST_ONLY
export FASTRTPS_DEFAULT_PROFILES_FILE=$root/test/ros2/testdata/loopback.xml
exec "$@"
