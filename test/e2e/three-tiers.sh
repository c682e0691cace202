#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Rings of 8 in one server, one rack and across racks take what their closed form says: 14 steps of an eighth of 100
# MB at the rate of the slowest link, and the delay of the way. The last packet of a step is forwarded by the
# switches on the way, which the form leaves out (0.03 %).
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

expect_rings() { # NAME WIRE TOLERANCE: bytes on the wire over bytes of data; part
    awk -F, -v name="$1" -v wire="$2" -v most="$3" '
        BEGIN { rate[1] = 7.2e12; rate[2] = rate[3] = 400e9; way[1] = 0.04e-6; way[2] = 0.85e-6; way[3] = 17.5e-6 }
        NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
        {
            job = $column["job_id"]
            expected = 14 * (100e6 / 8 * 8 * wire / rate[job] + way[job])
            gap = $column["comm_s"] / $column["iterations"] / expected - 1
            printf "%s, job %d: %.3f ms, gap %+.3f %%\n", name, job, expected * 1e3, gap * 100
            if (gap > most || gap < -most) { wrong = 1 }
            ++jobs
        }
        END { exit wrong || jobs != 3 }' "$scratch/$1/jobs.csv" || fail "$1: not the closed form"
}

run() { # NAME OPTIONS
    expect_status 0 "$DDL_BUILD/ddl-run" three-tiers --quiet --out="$scratch/$1" --set=output.alone=false \
        --set=output.figures=false "${@:2}"
}

run fluid
expect_rings fluid "$(awk 'BEGIN { print 1538 / 1460 }')" 0.001
# RDMA: 9038 bytes carry 8956, and four of them have an answer of 90 the other way. The window holds a whole step,
# as answers wait behind data: with D-mod-k routing all that goes to a GPU has one way.
run rdma --set=transport.kind=rdma --set=transport.mtu=9000 --set=transport.congestionControl=fixed \
    --ns3::ddl::FixedRdmaCongestionControl::Window=16000000
expect_rings rdma "$(awk 'BEGIN { print (9038 + 90 / 4) / 8956 }')" 0.02
# The study of instants: what ran at two instants of that run, on packets.
python3 "$DDL_HOME/studies/instants.py" "$scratch/fluid" "$scratch/instants" 2 3 >"$scratch/out" ||
    fail "the study of instants failed"
expect_text "$scratch/out" '^# ring: [12], '
expect_text "$scratch/out" '^# ([12]) of \1 within 3 %$'
expect_status 1 python3 "$DDL_HOME/studies/instants.py" "$scratch/none" "$scratch/instants"
expect_text "$scratch/err" '^instants: .*/none has no summary\.json'
expect_status 1 python3 "$DDL_HOME/studies/instants.py" "$scratch/fluid" "$scratch/instants" none
# The study of contention: these rings run one after the other, so nothing is longer together.
expect_status 0 python3 "$DDL_HOME/studies/contention.py" "$scratch/fluid" "$scratch/contention" --count=2 --seed=3
expect_text "$scratch/out" '^# fair-share: [0-9]+, 0\.00 %$'
expect_status 2 python3 "$DDL_HOME/studies/contention.py" "$scratch/none" "$scratch/contention"
expect_text "$scratch/err" '/none has no summary\.json'
expect_status 0 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --out="$scratch/single" --set=transport.kind=fluid
# Two rings over both racks, on one uplink of each: each gets half of it, whatever the order under fair share.
cat >"$scratch/across.json" <<'TEXT'
{"name": "across", "cluster": {"topology": {"kind": "three-tier", "racks": 2, "serversPerRack": 1,
    "gpusPerServer": 2, "serverUplinks": 1, "serverRate": "10Gbps", "spines": 1, "hostRate": "10Gbps", "rackRate": "10Gbps"}},
 "transport": {"kind": "fluid"}, "scheduler": {"control": "direct"},
 "workload": {"jobs": [
    {"model": {"bytes": "10MB", "forward": "0s", "backward": "0s"}, "workers": 2, "iterations": 40,
     "placement": {"workers": [[0, 0], [2, 0]]}},
    {"model": {"bytes": "10MB", "forward": "0s", "backward": "0s"}, "workers": 2, "iterations": 40,
     "placement": {"workers": [[1, 0], [3, 0]]}}]}}
TEXT
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/across.json" --quiet --out="$scratch/across"
expect_status 0 python3 "$DDL_HOME/studies/contention.py" "$scratch/across" "$scratch/stretch" --count=1 \
    --orders=fair-share,sptf
expect_text "$scratch/out" '^1,0,2,2,fair-share,(1\.99|2\.00).*'
expect_text "$scratch/out" '^# fair-share: 2, (99|100)\.[0-9]+ %$'
# Strict priority by order on that uplink, though no NIC has two jobs: who goes first is as fast as alone.
expect_text "$scratch/out" '^# sptf: 2, '
first=$(sed -n 's/^1,0,2,2,sptf,\([^,]*\),.*/\1/p' "$scratch/out")
awk -v mean="$first" 'BEGIN { exit !(mean > 0 && (mean < 1.9 || mean > 2.1)) }' || fail "no order acts above the NICs: $first"
# Iterations of 1.6 s alone: they are longer than the window that was asked for, and than the first guess of how far
# apart jobs run alone. Asked again, nothing runs.
for hash_seed in 1 2; do
    PYTHONHASHSEED=$hash_seed expect_status 0 python3 "$DDL_HOME/studies/contention.py" "$scratch/across" \
        "$scratch/slow" --count=1 --orders=fair-share --set=cluster.topology.hostRate=100Mbps \
        --set=cluster.topology.rackRate=100Mbps --set=cluster.topology.serverRate=100Mbps
    expect_text "$scratch/out" '^# fair-share: 2, (99|100)\.[0-9]+ %$'
    stat -c '%n %y' "$scratch"/slow/*/summary.json >"$scratch/made-$hash_seed"
done
cmp -s "$scratch/made-1" "$scratch/made-2" || fail 'the study of contention made runs again that it had'
expect_status 1 python3 "$DDL_HOME/studies/contention.py" "$scratch/single" "$scratch/slow"
expect_text "$scratch/err" 'has the topology single-switch, not three-tier$'
expect_status 0 "$DDL_BUILD/ddl-check" three-tiers
expect_text "$scratch/out" '^topology: three-tier, 512 hosts with 512 GPUs in 64 servers and 8 racks, 80 switches, 1536 links$'
expect_text "$scratch/out" '^uplinks:  server 18:1, rack 0\.5:1 \(oversubscription'
finish
