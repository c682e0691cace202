#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# One seed, the same bytes; stages move up while they send; several data queues in use, and one only
# when nobody orders anything.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

quick=(--quiet --set=output.alone=false)
for run in first second; do
    expect_status 0 "$DDL_BUILD/ddl-run" quickstart "${quick[@]}" --out="$scratch/$run"
done
for file in stages jobs ports remarks schedule; do
    [[ -s $scratch/first/$file.csv ]] || fail "$file.csv is missing"
done
diff -r --exclude=cost.json "$scratch/first" "$scratch/second" >"$scratch/diff" ||
    fail "two equal runs differ: $(head -n 5 "$scratch/diff")"

# A stage moves up while it sends: at one host, a stream of one job and stage gets a better codepoint
# than it had, later than its stage began (stages.csv) and before the stage ended.
awk -F, 'FNR == 1 { next }
         FILENAME ~ /jobs/ { cojob[$1] = $2; next }
         FILENAME ~ /stages/ { start[$1 "," $2] = $5; end[$1 "," $2] = $6; next }
         { key = $2 "," $3 "," $5; stage = cojob[$4] "," $5
           if (key in dscp && $7 < dscp[key] && $1 > start[stage] && $1 < end[stage]) up += 1
           dscp[key] = $7 }
         END { printf "%d remarks move a stream up while its stage runs\n", up; exit up < 10 }' \
    "$scratch/first/jobs.csv" "$scratch/first/stages.csv" "$scratch/first/remarks.csv" ||
    fail "no stage moves up while it sends"

data_queues() {
    awk -F, 'NR > 1 && $4 > 0 && $5 > 0 { used[$4] = 1 } END { n = 0; for (q in used) ++n; print n }' "$1"
}
used=$(data_queues "$scratch/first/ports.csv")
[[ $used -ge 3 && $used -le 4 ]] || fail "grouper uses $used data queues, expected 3 or 4, one a cojob on a host"

quick+=(--set=output.figures=false)
expect_status 0 "$DDL_BUILD/ddl-run" quickstart "${quick[@]}" --out="$scratch/fair" \
    --set=scheduler.network=fair-share
used=$(data_queues "$scratch/fair/ports.csv")
[[ $used -eq 1 ]] || fail "fair-share uses $used data queues, expected 1"

for figure in bars.png; do
    file=$scratch/first/$figure
    [[ -s $file && $(head -c 4 "$file" | tail -c 3) == PNG ]] || fail "$figure is no picture"
done

# Another seed is another run: paths differ.
expect_status 0 "$DDL_BUILD/ddl-run" quickstart "${quick[@]}" --out="$scratch/other" --seed=2
cmp -s "$scratch/first/ports.csv" "$scratch/other/ports.csv" && fail "the seed changes nothing"
finish
