#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Which of ctest's cases `./ddl test` runs: prints a line "NUMBER NAME" for each, NUMBER as ctest counts.
#
#   test/choose-tests.sh BUILD [REGEX [PART/PARTS]]
#
# BUILD       the build folder, built
# REGEX       only those with a test whose name matches; '' is all of them. A case of units is all tests
#             of one suite, which are called Suite.Test
# PART/PARTS  of these, part 1 to PARTS: parts have no case in common, together they have all, and they
#             cost about the same by test/costs.csv; a case that is not in it costs a second

set -eu -o pipefail
export LC_ALL=C

build=$1
only=${2:-}
part=${3:-1/1}
here=$(dirname -- "$(readlink -f -- "$0")")

cases() {
    ctest --test-dir "$build" -N | sed -n 's/^ *Test *#\([0-9]*\): /\1 /p'
}

# suites [REGEX]: those with a test that matches; the program itself knows
suites() {
    DDL_TEST_ONLY=${1:-} "$build/ddl-tests" --gtest_list_tests | sed -n 's/^\([^ ]*\)\..*/\1/p'
}

lists=$(mktemp -d)
trap 'rm -rf -- "$lists"' EXIT

# select: those of the cases that match. Each list is a file, so that one that fails ends the script
select_cases() {
    cases >"$lists/cases"
    if [[ -z $only ]]; then
        cat "$lists/cases"
        return
    fi
    suites >"$lists/suites"
    suites "$only" >"$lists/chosen"
    cut -d ' ' -f 2- "$lists/cases" | { grep -E -- "$only" || [[ $? -eq 1 ]]; } >"$lists/matching"
    awk 'FILENAME == ARGV[1] { unit[$0]; next }
        FILENAME == ARGV[2] { chosen[$0]; next }
        FILENAME == ARGV[3] { if (!($0 in unit)) chosen[$0]; next }
        $2 in chosen' "$lists/suites" "$lists/chosen" "$lists/matching" "$lists/cases"
}

select_cases |
    awk 'FILENAME == ARGV[1] { split($0, field, ","); cost[field[1]] = field[2]; next }
        { print ($2 in cost ? cost[$2] : 1), $0 }' "$here/costs.csv" - |
    sort -k1,1gr -k3,3 |
    awk -v part="${part%/*}" -v parts="${part#*/}" '
        { # the dearest that is left goes where least is
            least = 1
            for (i = 2; i <= parts; ++i) if (sum[i] < sum[least]) least = i
            sum[least] += $1
            if (least == part) print $2, $3 }'
