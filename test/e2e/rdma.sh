#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# RDMA: a switch of kind and no other change; captures that tshark reads as RoCEv2 and that change
# nothing; the schedulers come in the same order as on TCP; wrong settings are refused.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

run() {
    expect_status 0 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --set=transport.kind=rdma \
        --set=scale.model=0.1 --set=output.alone=false --set=output.figures=false "$@"
}
run --out="$scratch/off"
run --out="$scratch/on" --set=output.pcap=true
for file in stages jobs ports remarks schedule; do
    cmp "$scratch/off/$file.csv" "$scratch/on/$file.csv" || fail "$file.csv differs with pcap on"
done
events() { grep -o '"events": [0-9]*' "$1/cost.json"; }
[[ $(events "$scratch/off") == "$(events "$scratch/on")" ]] || fail "the number of events differs"
expect_text "$scratch/on/summary.json" '"retransmissions": 0'

capture=$(find "$scratch/on/pcap" -name 'h0-0-switch0.pcap')
[[ -n $capture ]] || { fail "no capture of h0"; finish; }
# read_fields DISPLAY_FILTER FIELD...: one line a packet
read_fields() {
    local filter=$1 field arguments=()
    shift
    for field; do arguments+=(-e "$field"); done
    tshark -r "$capture" -Y "$filter" -T fields "${arguments[@]}" 2>"$scratch/err" ||
        fail "tshark cannot read $capture: $(tail -n 2 "$scratch/err")"
}
read_fields "ip.src == 10.0.0.1 && udp.dstport == 4791 && infiniband.bth.opcode <= 4" \
    udp.srcport infiniband.bth.psn infiniband.bth.opcode ip.dsfield.dscp ip.dsfield.ecn >"$scratch/data"
[[ -s $scratch/data ]] || fail "no data packets in $capture"
# One by one, as nothing is lost; Only (4), or First (0), Middle (1)..., Last (2).
awk '{ if ($1 in psn && $2 != psn[$1] + 1) { print "PSN " $2 " behind " psn[$1]; bad = 1 }
       within = ($1 in open) && open[$1]
       if (within != ($3 == 1 || $3 == 2)) { print "opcode " $3 " of PSN " $2; bad = 1 }
       psn[$1] = $2; open[$1] = $3 == 0 || $3 == 1 }
     END { exit bad }' "$scratch/data" >"$scratch/out" || fail "$(head -n 3 "$scratch/out")"
cut -f 4,5 "$scratch/data" | sort | uniq -c
if cut -f 5 "$scratch/data" | grep -qv '[23]'; then fail "data without ECN"; fi
read_fields "infiniband.aeth" infiniband.bth.opcode ip.dsfield.ecn | sort -u >"$scratch/answers"
printf '17\t0\n' | cmp - "$scratch/answers" || fail "answers are not acknowledgements without ECN"
malformed=$(tshark -r "$capture" -Y "_ws.malformed" 2>/dev/null | wc -l)
[[ $malformed -eq 0 ]] || fail "$malformed malformed packets"

# What packets carry for congestion control is payload for tshark, and captures change nothing: 52 bytes of an
# acknowledgement, and 42 of telemetry or 8 of time.
for control in hpcc:94 swift:60; do
    name=${control%:*}
    run --out="$scratch/$name-off" --set=transport.congestionControl="$name"
    run --out="$scratch/$name" --set=transport.congestionControl="$name" --set=output.pcap=true
    cmp "$scratch/$name-off/stages.csv" "$scratch/$name/stages.csv" || fail "$name: stages.csv differs with pcap on"
    [[ $(events "$scratch/$name-off") == "$(events "$scratch/$name")" ]] || fail "$name: events differ with pcap on"
    capture=$(find "$scratch/$name/pcap" -name 'h0-0-switch0.pcap')
    read_fields "infiniband.aeth" frame.len | sort -u >"$scratch/lengths"
    printf '%s\n' "${control#*:}" | cmp - "$scratch/lengths" || fail "$name: other answers: $(cat "$scratch/lengths")"
    malformed=$(tshark -r "$capture" -Y "_ws.malformed" 2>/dev/null | wc -l)
    [[ $malformed -eq 0 ]] || fail "$name: $malformed malformed packets"
done
expect_status 2 "$DDL_BUILD/ddl-run" quickstart --quiet --out="$scratch/bad" --set=transport.kind=rdma \
    --set=transport.congestionControl=hpcc --set=transport.recovery=selective-repeat --set=cluster.topology.routing=spray
expect_text "$scratch/err" 'one path'

# Where nothing is dropped, selective repeat sends nothing twice, however often streams are remarked and
# starve; go-back-N does.
for recovery in go-back-n selective-repeat; do
    expect_status 0 "$DDL_BUILD/ddl-run" quickstart --quiet --set=output.alone=false \
        --set=output.figures=false --set=transport.kind=rdma --set=transport.recovery=$recovery \
        --out="$scratch/$recovery"
    expect_text "$scratch/$recovery/summary.json" '"drops": 0,'
    expect_text "$scratch/$recovery/summary.json" '"timeouts": [1-9]'
    expect_text "$scratch/$recovery/summary.json" '"reordered": [1-9]'
done
expect_text "$scratch/go-back-n/summary.json" '"retransmissions": [1-9]'
expect_text "$scratch/selective-repeat/summary.json" '"retransmissions": 0,'

expect_status 2 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --out="$scratch/bad" \
    --set=transport.kind=rdma --set=transport.congestionControl=dctpc
expect_text "$scratch/err" '^--set: /transport/congestionControl: .*dctpc.*dcqcn, dctcp, fixed'
expect_status 2 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --out="$scratch/bad" \
    --set=transport.kind=rdma --set=transport.recovery=selective-repaet
expect_text "$scratch/err" '^--set: /transport/recovery: .*go-back-n, selective-repeat.*selective-repeat'
expect_status 2 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --out="$scratch/bad" \
    --set=transport.kind=rdma --set=transport.maxTimeout=1us
expect_text "$scratch/err" 'MaxTimeout'
finish
