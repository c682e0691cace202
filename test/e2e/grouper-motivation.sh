#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Grouper Fig. 3: average SCT of fair share, SPTF and the optimum is 8, 7.5 and 6.5 units of 40 MB at
# 10 Gbps, each within 2 %. A unit lasts 40e6 * 8 / 10e9 s = 32 ms of payload; headers make it longer
# by (1500 + 38) / 1460 (MTU and framing over payload of a full packet).
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 "$DDL_BUILD/ddl-compare" grouper-motivation \
    --vary=scheduler.network=fair-share,sptf,grouper --out="$scratch/results"
cat "$scratch/out"
column "$scratch/results/compare.csv" sct_s >"$scratch/sct"
awk 'BEGIN { split("8 7.5 6.5", units); unit = 40e6 * 8 / 10e9 * 1538 / 1460 }
     { want = units[NR] * unit; gap = $1 / want - 1
       printf "average SCT %.3f ms, expected %.3f ms, gap %+.2f %%\n", $1 * 1e3, want * 1e3, gap * 100
       if (gap > 0.02 || gap < -0.02) bad = 1 }
     END { exit bad || NR != 3 }' "$scratch/sct" || fail "an average SCT is off by more than 2 %"
finish
