#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Grouper Fig. 3: average SCT of fair share, SPTF and the optimum is 8, 7.5 and 6.5 units of 40 MB at
# 10 Gbps, each within 2 %. A unit lasts 40e6 * 8 / 10e9 s = 32 ms of payload; headers make it longer by
# (9000 + 38) / 8960 (MTU and framing over payload of a full packet), so it lasts 32.279 ms.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_status 0 "$DDL_BUILD/ddl-compare" grouper-motivation \
    --vary=scheduler.network=fair-share,sptf,grouper --out="$scratch/results" --set=output.alone=false \
    --set=transport.mtu=9000
cat "$scratch/out"
cat >"$scratch/expected.csv" <<'EOF'
run,metric,expected,tolerance,source
network=fair-share_seed=1,sct_s,0.258229,0.02,Grouper Fig. 3(b): 8 units
network=sptf_seed=1,sct_s,0.242089,0.02,Grouper Fig. 3(c): 7.5 units
network=grouper_seed=1,sct_s,0.209811,0.02,Grouper Fig. 3(d): 6.5 units
EOF
expect_values "$scratch/results/compare.csv" "$scratch/expected.csv" 3
finish
