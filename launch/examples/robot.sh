#!/usr/bin/env bash
# From nothing to a plan on the robot of robot.py: records what the explorer tries, learns, and has the planner bring the red block
# to the right (skill 9 places it there) and the blue one to the left (skill 10). Needs `make build`, and a ROS 2 that is sourced.
# robot.sh FOLDER keeps all of it there.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-runs/robot} PATH=$PWD/bin:$PATH
[ -n "${AMENT_PREFIX_PATH:-}" ] || { echo "robot.sh: no ROS 2 here: source its setup.bash first" >&2; exit 1; }
[ ! -e "$folder" ] || { echo "robot.sh: $folder exists: name another folder" >&2; exit 1; }
messages=$(test/messages.sh)
set +u; source "$messages"; set -u
mkdir -p "$folder"
export ROS_AUTOMATIC_DISCOVERY_RANGE=${ROS_AUTOMATIC_DISCOVERY_RANGE:-SUBNET} # as ROS 2; stripswm alone would stay on the loopback interface
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT

set -x
/usr/bin/python3 launch/examples/robot.py &
recorder --ros-args -p directory:="$folder/bag" &
recorder=$!
explorer --ros-args -p bag:="$folder/bag" -p actions:=12 -p budget:=200 -p once:=true
kill $recorder && wait $recorder
stripswm learn --bag "$folder/bag" --out "$folder"
planner --ros-args -p bundle:="$folder/bundle" &
stripswm plan --want after_action_7,after_action_12 --execute # and from there, as exploration may have ended with them where they go
stripswm camera --out "$folder/before.png"
stripswm plan --want after_action_9,after_action_10 --execute
stripswm camera --out "$folder/after.png"
