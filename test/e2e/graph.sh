#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `./ddl graph`: what a graph contains, as tables and as JSON, its picture, and what is wrong with one.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

cat >"$scratch/two.goal" <<'TEXT'
num_ranks 2
rank 0 {
a: calc 1000
b: send 1000b to 1
b requires a
}
rank 1 {
a: recv 1000b from 0
b: calc 500
b requires a
}
TEXT
expect_status 0 "$DDL_BUILD/ddl-graph" "$scratch/two.goal"
expect_text "$scratch/out" 'goal, 2 ranks, 2 different'
expect_text "$scratch/out" 'critical path +1.500 us, 4 nodes, 1.500 us of it computing'

# 1000 B at 8 Gbps take 1 us
expect_status 0 "$DDL_BUILD/ddl-graph" "$scratch/two.goal" --rate=8Gbps --latency=1us --json
python3 - "$scratch/out" <<'CODE' || fail "the JSON of a graph"
import json, sys
graph = json.load(open(sys.argv[1]))
assert graph["nodes"] == {"compute": 2, "send": 1, "receive": 1, "collective": 0}, graph
assert graph["message_bytes"] == 1000 and abs(graph["critical_path_s"] - 3.5e-6) < 1e-12, graph
CODE

expect_status 0 "$DDL_BUILD/ddl-graph" "$scratch/two.goal" --rate=8Gbps --out="$scratch/picture"
[[ -s $scratch/picture/graph.svg && -s $scratch/picture/graph-data.csv ]] || fail "no picture"

sed -i 's/recv 1000b/recv 999b/' "$scratch/two.goal"
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/two.goal"
expect_text "$scratch/err" 'two.goal: rank 0, node 1 "b": sends 1000 B to rank 1 with tag 0, where rank 1, node 0 "a" receives 999 B'
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/none"
long=$(printf 'x%.0s' {1..5000})
expect_status 2 "$DDL_BUILD/ddl-graph" "$long"
expect_text "$scratch/err" 'is no file that can be read'
printf 'num_ranks 2\nrank 0 {\nsend 8b to 7\ncalk 5\ncalc x\n}\nrank 1 {\nfoo\n}\n' >"$scratch/wrong.goal"
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/wrong.goal"
[[ $(grep -c 'wrong.goal:' "$scratch/err") == 4 ]] || fail "four errors, $(cat "$scratch/err")"
expect_status 2 "$DDL_BUILD/ddl-graph" "$scratch/two.goal" --set=IgnoreNic=true
expect_text "$scratch/err" 'IgnoreNics'
finish
