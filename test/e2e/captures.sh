#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Captures read in tshark as what they are: TCP as TCP, RoCEv2 as InfiniBand, nothing malformed, nothing
# taken for another protocol or for management traffic, time stamps in nanoseconds.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

# capture NAME OPTION...: all frames of all ports of a run, one line each, in $scratch/NAME
capture() {
    local name=$1
    shift
    expect_status 0 "$DDL_BUILD/ddl-run" two-jobs-one-link --quiet --set=scale.model=0.02 \
        --set=output.alone=false --set=output.figures=false --set=output.pcap=true \
        --out="$scratch/run-$name" "$@"
    local file
    for file in "$scratch/run-$name"/pcap/*.pcap; do
        tshark -r "$file" -T fields -e frame.time_epoch -e frame.protocols -e _ws.malformed \
            -e infiniband.bth.opcode -e infiniband.bth.destqp -e ip.src -e frame.len 2>"$scratch/err" |
            sed "s|^|${file##*/}\t|" >>"$scratch/$name"
        [[ ${PIPESTATUS[0]} -eq 0 ]] || fail "tshark cannot read $file: $(tail -n 2 "$scratch/err")"
    done
    [[ $(wc -l <"$scratch/$name") -gt 1000 ]] || fail "$name: hardly a frame captured"
    awk -F'\t' '$4 != ""' "$scratch/$name" >"$scratch/malformed"
    [[ ! -s $scratch/malformed ]] || fail "$name: $(wc -l <"$scratch/malformed") malformed frames: $(head -n 1 "$scratch/malformed")"
    # Some time is no whole number of microseconds.
    awk -F'\t' '$2 !~ /\.[0-9]+000$/ { found = 1 } END { exit !found }' "$scratch/$name" || fail "$name: no nanoseconds"
}

capture tcp --set=transport.kind=tcp
if cut -f 3 "$scratch/tcp" | sort -u | grep -vxE 'raw:ip:tcp(:data)?'; then fail "frames that are not plain TCP"; fi

# expect_roce NAME: every frame is RoCEv2, and for an ordinary queue pair
expect_roce() {
    if cut -f 3 "$scratch/$1" | sort -u | grep -vE '^raw:ip:udp:infiniband'; then fail "$1: frames that are not RoCEv2"; fi
    awk -F'\t' '$6 == "0x000000" || $6 == "0x000001" || $6 == ""' "$scratch/$1" >"$scratch/management"
    [[ ! -s $scratch/management ]] || fail "$1: frames for management queue pairs: $(head -n 1 "$scratch/management")"
}
capture rdma --set=transport.kind=rdma
expect_roce rdma
# Full packets that leave back to back are 1538 bytes at 10 Gbps apart: 1230.4 ns, in whole ones.
grep '^h0-0-switch0' "$scratch/rdma" | awk -F'\t' '$7 == "10.0.0.1" && $8 == 1500 {
    split($2, t, "."); now = t[2] + 0
    if (before) { gap = now - before; if (gap == 1230 || gap == 1231) ++back_to_back; else if (gap > 0 && gap < 1230) bad = gap }
    before = now }
    END { printf "%d gaps of 1230 or 1231 ns\n", back_to_back; if (bad) print "a gap of " bad; exit !(back_to_back > 100 && !bad) }' ||
    fail "the times of h0's frames are not those of its wire"

# Two servers answer one machine at the same time, through queues that drop: probes (0xc0 = 192) and
# selective NAKs (0xc1 = 193) are read, too.
capture selective --set=transport.kind=rdma --set=transport.recovery=selective-repeat \
    --set=scheduler.network=fair-share --set=workload.jobs.1.model.bytes=10MB \
    --set=cluster.ports.limit=15kB --set=cluster.ports.ecnThreshold=0B
expect_roce selective
cut -f 5 "$scratch/selective" | sort | uniq -c >"$scratch/opcodes"
for opcode in 17 192 193; do
    expect_text "$scratch/opcodes" "^ *[0-9]+ $opcode\$"
done
finish
