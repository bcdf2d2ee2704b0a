#!/usr/bin/env bash
# Puts MuJoCo into a virtual environment, and robosuite's model of the Panda beside it: setup.sh FOLDER. Does nothing where FOLDER
# has what the requirements file says. PYTHON is the Python to use: that of ROS 2.
set -euo pipefail
requirements=$(dirname "$0")/requirements.txt folder=$1 python=${PYTHON:-/usr/bin/python3}

! cmp -s "$requirements" "$folder/requirements.txt" || exit 0
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
[ "$version" = 3.11 ] || { echo "setup: the packages of the arm are pinned for Python 3.11, and $python is $version: set PYTHON" >&2; exit 1; }

echo "setup: fetching MuJoCo and robosuite from PyPI into $folder (200 MB)"
rm -rf "$folder"
"$python" -m venv "$folder"
pip() { "$folder/bin/pip" "$@" --quiet --disable-pip-version-check --no-deps --require-hashes; }
pip install --requirement <(grep -v ^robosuite "$requirements")
pip download --requirement <(grep ^robosuite "$requirements") --dest "$folder/wheel"
"$python" - "$folder"/wheel/*.whl "$folder" <<-'END'
	import pathlib, shutil, sys, zipfile
	inside, folder = 'robosuite/models/assets/', pathlib.Path(sys.argv[2])
	with zipfile.ZipFile(sys.argv[1]) as wheel:
	    for name in wheel.namelist():
	        if name.startswith((inside + 'robots/panda/', inside + 'grippers/panda_gripper', inside + 'grippers/meshes/panda_gripper')):
	            wheel.extract(name, folder)
	shutil.move(folder / inside, folder / 'assets')
END
rm -r "$folder/wheel" "$folder/robosuite"
cp "$requirements" "$folder/requirements.txt"
