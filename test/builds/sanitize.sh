#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# All tests under AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer, in parts: what
# `./ddl test --sanitize` runs at one go, for a machine or an evening that has to stop in between.
#
#   test/builds/sanitize.sh LOGS [PARTS [PART]...]
#
# LOGS   folder that keeps sanitize-PART.log of each part, and sanitize-build.log
# PARTS  how many parts the list of tests is cut into; 4. Test n is in part n modulo PARTS, so that
#        every part has short and long ones
# PART   only these parts (1 to PARTS); without it, all that have no finished log in LOGS
#
# Builds in build-sanitize/ beside build/ (or DDL_BUILD-sanitize). JOBS tests, or compilers, at a
# time; 2. Exit status: 0 all passed; 1 a test failed, or the build did; 2 usage.

set -u -o pipefail

[[ $# -ge 1 ]] || { sed -n '3,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p -- "$1" || exit 2
logs=$(readlink -f -- "$1")
parts=${2:-4}
[[ $parts =~ ^[1-9][0-9]*$ ]] || { echo "sanitize.sh: PARTS is a number, not '$parts'" >&2; exit 2; }
shift $(($# > 1 ? 2 : 1))
checkout=$(readlink -f -- "$(dirname -- "$0")/../..")
build=${DDL_BUILD:-$checkout/build}-sanitize
jobs=${JOBS:-2}

{ cmake -S "$checkout" -B "$build" -G Ninja -DDDL_TESTS=ON -DDDL_SANITIZE=ON -DDDL_BATCHES=ON &&
    cmake --build "$build" -j "$jobs"; } >"$logs/sanitize-build.log" 2>&1 ||
    { tail -n 30 "$logs/sanitize-build.log" >&2; exit 1; }

status=0
wanted=("$@")
[[ $# -gt 0 ]] || mapfile -t wanted < <(seq "$parts")
for part in "${wanted[@]}"; do
    log=$logs/sanitize-$part.log
    [[ $# -gt 0 ]] || ! grep -qs '^tests passed$' "$log" || continue
    # ctest's own stride: the tests PART, PART + PARTS, ...
    if ctest --test-dir "$build" -j "$jobs" -I "$part,,$parts" --output-on-failure --no-tests=error \
        >"$log" 2>&1; then
        echo "tests passed" >>"$log"
    else
        status=1
    fi
    printf 'part %s of %s: ' "$part" "$parts"
    grep 'tests passed' "$log" | head -n 1
    sed -n '/The following tests FAILED/,$p' "$log"
done
exit $status
