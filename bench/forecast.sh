#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What `ddl check` forecasts beside what `ddl run` takes, in CPU seconds of the run and of the runs alone, for
# scenarios on all transports: a Markdown table on standard output. Nothing here is a test; machines differ.
#
#   bench/forecast.sh [SCENARIO...]   default: all in scenarios/ whose forecast is below MOST seconds (120)
#
# DDL_BUILD is the build folder, default build.
set -u -o pipefail
home=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
build=${DDL_BUILD:-$home/build}
export DDL_HOME=${DDL_HOME:-$home}
most=${MOST:-120}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# seconds TEXT: "1.5 minutes" in seconds
seconds() { awk '{ print $1 * ($2 == "s" ? 1 : $2 == "minutes" ? 60 : 3600) }' <<<"$1"; }

# cpu COMMAND...: user and system CPU seconds, of children too
cpu() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$scratch/out" 2>"$scratch/err" </dev/null; } 2>"$scratch/time"
    awk '{ print $1 + $2 }' "$scratch/time"
}

if [[ $# -eq 0 ]]; then
    for file in "$home"/scenarios/*/scenario.json; do
        set -- "$@" "$(basename -- "$(dirname -- "$file")")"
    done
fi
echo "| scenario | transport | run: forecast s | measured s | ratio | with runs alone: forecast s | measured s | ratio |"
echo "|---|---|---|---|---|---|---|---|"
for scenario in "$@"; do
    for transport in fluid rdma tcp; do
        options=("$scenario" "--set=transport.kind=$transport" --set=output.figures=false)
        line=$("$build/ddl-check" "${options[@]}" 2>/dev/null | sed -n 's/^expected: //p')
        run=$(seconds "${line%% of CPU*}")
        alone=${line#*for the run, }
        all=$(awk -v a="$run" -v b="$(seconds "${alone%% for the runs*}")" 'BEGIN { print a + b }')
        if awk -v s="$all" -v m="$most" 'BEGIN { exit !(s > m || s == 0) }'; then
            echo "| $scenario | $transport | $run | not run | | $all | | |"
            continue
        fi
        one=$(cpu "$build/ddl-run" "${options[@]}" --set=output.alone=false --quiet --out="$scratch/results")
        both=$(cpu "$build/ddl-run" "${options[@]}" --quiet --out="$scratch/results")
        awk -v n="$scenario" -v t="$transport" -v f="$run" -v m="$one" -v g="$all" -v b="$both" 'BEGIN {
            printf "| %s | %s | %.3g | %.3g | %.2f | %.3g | %.3g | %.2f |\n", n, t, f, m, f / m, g, b, g / b }'
    done
done
