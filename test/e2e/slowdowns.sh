#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Nobody is faster in company than alone: quickstart on rdma, two seeds (five under --slow), no slowdown below 0.99. Runs alone
# take the paths that the same flows took in company, and draw the same compute times.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

for seed in 1 2 ${DDL_TEST_SLOW:+3 4 5}; do
    expect_status 0 "$DDL_BUILD/ddl-run" quickstart --quiet --seed=$seed --set=transport.kind=rdma \
        --set=output.figures=false --set=output.series=0s --out="$scratch/$seed"
    for file in stages jobs; do
        awk -F, -v what="seed $seed, $file.csv" '
            NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "slowdown") column = i; next }
            $column == "" { print what ": no slowdown in " $0; bad = 1; next }
            { ++rows; least = rows == 1 || $column < least ? $column : least }
            END { printf "%s: %d rows, least slowdown %s\n", what, rows, least
                  exit bad || rows == 0 || least < 0.99 }' "$scratch/$seed/$file.csv" ||
            fail "seed $seed: a slowdown below 0.99 in $file.csv, or none"
    done
done
finish
