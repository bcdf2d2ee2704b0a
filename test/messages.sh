#!/usr/bin/env bash
# Builds this project's messages for the ROS 2 that is sourced, once for each state of them, and prints the setup.bash that brings
# them into a shell. They are built for Debian's Python, as ROS 2 is. One command builds at a time.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
messages=$root/bin/messages/$ROS_DISTRO
mkdir -p "$messages"
(
	flock 9
	[ -z "$(find "$root"/msgs/{msg,srv,action,CMakeLists.txt,package.xml} -newer "$messages/built" 2>&1)" ] && exit
	cd "$messages"
	colcon --log-base log build --base-paths "$root/msgs" --cmake-args -DPYTHON_EXECUTABLE=/usr/bin/python3 -DPython3_EXECUTABLE=/usr/bin/python3 >colcon 2>&1 ||
		{ cat colcon >&2; exit 1; }
	touch built
) 9>"$messages/lock"
echo "$messages/install/local_setup.bash"
