#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Grouper Fig. 3 on fluids without overheads or delays, with direct control: a unit is 40 MB at 10 Gbps,
# 40e6 * 8 / 10e9 s = 32 ms, and average SCT is 8 units = 256 ms under fair share, 7.5 = 240 ms under
# SPTF, 6.5 = 208 ms at best, each within 1e-6 units = 32 ns. grouper-immediate ranks anew when stage A1
# ends at 2 units.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

pure=(--set=transport.kind=fluid --set=transport.headerBytes=0 --set=transport.countFraming=false
      --set=transport.storeAndForward=false --set=cluster.topology.delay=0ns
      --set=scheduler.control=direct --set=output.alone=false)
cat >"$scratch/expected.csv" <<'EOF'
run,metric,expected,tolerance,source
network=fair-share_seed=1,sct_s,0.256,1.25e-7,8 units
network=sptf_seed=1,sct_s,0.240,1.33e-7,7.5 units
network=grouper-immediate_seed=1,sct_s,0.208,1.54e-7,6.5 units
EOF
expect_status 0 "$DDL_BUILD/ddl-compare" grouper-motivation "${pure[@]}" \
    --vary=scheduler.network=fair-share,sptf,grouper-immediate --out="$scratch/results"
cat "$scratch/out"
expect_values "$scratch/results/compare.csv" "$scratch/expected.csv" 3

# Scenarios run on fluids by the kind alone. What only packets have is empty, not 0.
for name in two-jobs-one-link grouper-motivation quickstart; do
    expect_status 0 "$DDL_BUILD/ddl-run" "$name" --set=transport.kind=fluid --set=output.alone=false \
        --quiet --out="$scratch/$name"
    expect_text "$scratch/$name/ports.csv" '^h0,0,[a-z0-9]+,1,,[1-9][0-9]*,,,,0\.[0-9]+,[0-9]+$'
    [[ $(column "$scratch/$name/ports.csv" dropped | sort -u) == "" ]] || fail "$name: drops of fluids"
    expect_text "$scratch/$name/summary.json" '"drops": null'
done

expect_status 0 "$DDL_BUILD/ddl-check" quickstart --set=transport.kind=fluid
expect_text "$scratch/out" 'no packets'
expect_status 2 "$DDL_BUILD/ddl-check" quickstart --set=transport.kind=fluid --set=transport.mtu=100
expect_status 2 "$DDL_BUILD/ddl-check" quickstart --set=transport.kind=fluid --set=transport.headerBytes=many
expect_status 2 "$DDL_BUILD/ddl-check" quickstart --set=transport.kind=fluid --set=transport.headerByte=1
finish
