#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `./ddl topology`: what a network contains, the same network in other formats, and what is wrong with
# one. A scenario on a network from a file gives the bytes that it gives on the built-in one.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

topology=$DDL_BUILD/ddl-topology
expect_status 0 "$topology" fat-tree --set=k=4
expect_text "$scratch/out" '^hosts: +16, in 16 servers, in 8 racks'
for kind in dumbbell fat-tree leaf-spine rail-optimised single-switch three-tier; do
    expect_status 0 "$topology" "$kind" --to=json
    cp "$scratch/out" "$scratch/$kind.json"
    expect_status 0 "$topology" "$scratch/$kind.json" --to=json
    cmp -s "$scratch/out" "$scratch/$kind.json" || fail "$kind: does not come back from JSON"
    expect_status 0 "$topology" "$kind" --to=hpcc
    cp "$scratch/out" "$scratch/$kind.hpcc"
    expect_status 0 "$topology" "$scratch/$kind.hpcc" --to=hpcc
    cmp -s "$scratch/out" "$scratch/$kind.hpcc" || fail "$kind: does not come back from HPCC's text"
done
expect_status 0 "$topology" fat-tree --to=svg
python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' "$scratch/out" || fail "the picture"
expect_status 0 "$topology" fat-tree --to=dot
expect_text "$scratch/out" '"h0" -- "edge0"'
expect_status 0 "$topology" network-file --pairs
expect_text "$scratch/out" '^h0,h9,4,25000000000$'

expect_status 0 "$DDL_BUILD/ddl-run" quickstart --set=output.alone=false --set=scale.model=0.02 --out="$scratch/built" --quiet
expect_status 0 "$topology" quickstart --to=json
cp "$scratch/out" "$scratch/quick.json"
expect_status 0 "$DDL_BUILD/ddl-run" quickstart --set=output.alone=false --set=scale.model=0.02 \
    --set=cluster.topology="{\"kind\": \"graph\", \"file\": \"$scratch/quick.json\"}" --out="$scratch/graph" --quiet
for file in "$scratch"/built/*.csv; do
    cmp -s "$file" "$scratch/graph/$(basename "$file")" || fail "$(basename "$file") differs on the network from a file"
done

printf '3 1 2\n2\n0 2 1Gbps 1us 0\n1 9 1Gbps 1us 0\n' >"$scratch/wrong"
expect_status 2 "$topology" "$scratch/wrong"
expect_text "$scratch/err" 'wrong:4: link 1 - 9: there is no node "9"'
expect_text "$scratch/err" 'host h1 has no link'
expect_status 2 "$topology" "$scratch/none"
expect_status 2 "$topology" fat-tree --to=simai
expect_status 2 "$topology" fat-tree --set=k=5
finish
