#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Grouper Fig. 3: average SCT of fair share, SPTF and the optimum is 8, 7.5 and 6.5 units of 40 MB at
# 10 Gbps, each within 2 %. A unit lasts 40e6 * 8 / 10e9 s = 32 ms of payload; headers make it longer by
# (9000 + 38) / 8960 (MTU and framing over payload of a full packet), and expected.csv, for an MTU of 1500,
# has 1538 / 1460.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 "$DDL_BUILD/ddl-compare" grouper-motivation \
    --vary=scheduler.network=fair-share,sptf,grouper --out="$scratch/results" --set=output.alone=false \
    --set=transport.mtu=9000
cat "$scratch/out"
awk -F, -v OFS=, 'NR > 1 { $3 *= 9038 / 8960 * 1460 / 1538 } { print }' \
    "$DDL_HOME/scenarios/grouper-motivation/expected.csv" >"$scratch/expected.csv"
expect_values "$scratch/results/compare.csv" "$scratch/expected.csv" 3
finish
