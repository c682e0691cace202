#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Everything, tests too, without precompiled headers: each file includes what it uses.
#
#   test/builds/no-pch.sh FOLDER [JOBS]
#
# FOLDER  to build in; JOBS  compilers at a time, 2
# Exit status: 0 built; 1 not; 2 usage.

set -eu

[[ $# -eq 1 || $# -eq 2 ]] || { echo 'no-pch.sh: give a folder to build in' >&2; exit 2; }
checkout=$(readlink -f -- "$(dirname -- "$0")/../..")
cmake -S "$checkout" -B "$1" -G Ninja -DDDL_PCH=OFF -DDDL_TESTS=ON
cmake --build "$1" -j "${2:-2}"
echo "built without precompiled headers"
