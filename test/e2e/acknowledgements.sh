#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# In scenarios/permutation two flows share an uplink. The acknowledgements of one of them wait behind data of
# other jobs, so that it gets a fifth of the uplink; in queue 0 they do not, and it gets about a half.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

# share ACKS: percent of the uplink, of what both flows get, that goes to h2-h6, from 10 to 40 ms
share() {
    expect_status 0 "$DDL_BUILD/ddl-run" permutation --quiet --out="$scratch/$1" --set=scheduler.acks="$1" \
        --set=output.figures=false
    awk -F, '$2 == "job" && $5 == "bytes" && $1 > 0.0101 && $1 < 0.0401 { bytes[$3] += $6 }
        END { both = bytes[3] + bytes[4]; print (both > 33e6 ? int(100 * bytes[3] / both + 0.5) : "no uplink") }' \
        "$scratch/$1/series.csv"
}

ranked=$(share ranked)
control=$(share control)
printf 'h2-h6 has %s %% of the uplink with ranked acknowledgements, %s %% with those in queue 0\n' "$ranked" "$control"
[[ $ranked -ge 75 && $ranked -le 85 ]] || fail "ranked: $ranked % (80)"
[[ $control -ge 45 && $control -le 60 ]] || fail "control: $control % (55)"
finish
