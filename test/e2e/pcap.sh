#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Captures change nothing, and tshark reads codepoints and ECN marks from them as they were there.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

# Both servers on one machine, so that the two jobs have different priorities at the receiver.
scenario=(two-jobs-one-link --quiet --set=scale.model=0.1 --set=output.alone=false --set=output.figures=false
    --set=workload.jobs.1.placement.servers=[1])
expect_status 0 "$DDL_BUILD/ddl-run" "${scenario[@]}" --out="$scratch/off"
expect_status 0 "$DDL_BUILD/ddl-run" "${scenario[@]}" --out="$scratch/on" --set=output.pcap=true
for file in stages jobs ports remarks schedule; do
    cmp "$scratch/off/$file.csv" "$scratch/on/$file.csv" || fail "$file.csv differs with pcap on"
done
events() { grep -o '"events": [0-9]*' "$1/cost.json"; }
[[ $(events "$scratch/off") == "$(events "$scratch/on")" ]] || fail "the number of events differs"

capture=$(find "$scratch/on/pcap" -name 'h0-0-switch0.pcap')
[[ -n $capture ]] || { fail "no capture of h0"; finish; }
tshark -r "$capture" -Y "ip.src == 10.0.0.1" -T fields -e ip.dsfield.dscp -e ip.dsfield.ecn >"$scratch/fields" 2>"$scratch/err" ||
    fail "tshark cannot read $capture: $(tail -n 2 "$scratch/err")"
sort "$scratch/fields" | uniq -c
for dscp in 1 2 48; do # two priorities of data, and control
    expect_text "$scratch/fields" "^$dscp	"
done
# DCTCP fills the NIC past its threshold: congestion is marked (ECN 3) beside what is not (ECN 2), as
# often as ports.csv counts it at that NIC.
expect_text "$scratch/fields" '^1	2'
marked=$(awk -F, '$1 == "h0" { sum += $8 } END { print sum }' "$scratch/on/ports.csv")
seen=$(grep -c '	3$' "$scratch/fields")
[[ $seen -gt 0 && $seen -eq $marked ]] || fail "$seen packets with CE in the capture, $marked marked"
finish
