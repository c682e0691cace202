#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What a data-hop costs, in instructions, against the numbers in bench/instructions.csv: a check that
# does not depend on what else the machine does. Start-up is taken out by two runs of different size:
# (I(2N) - I(N)) / (U(2N) - U(N)), where U counts data-hops, or kB where there are no packets.
#
# instructions.sh --renew writes the numbers as they are now, and those of transports that have none.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

table=$DDL_HOME/bench/instructions.csv
renew="DDL_BUILD=$DDL_BUILD $0 --renew"
tolerance=15 # per cent: compilers differ by less, a loss of 20 does not get through

if grep -qx 'DDL_SANITIZE:BOOL=ON' "$DDL_BUILD/CMakeCache.txt" 2>/dev/null; then
    echo "skipped: a sanitized build costs what its checks cost"
    exit 77
fi
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 77
fi

# count WORK TRANSPORT SIZE: "instructions units" of one run, in a folder of its own name
count() {
    local run=$scratch/$1-$2-$3
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$run.log" \
        "$DDL_BUILD/ddl-bench-case" "$1" "$2" --bytes="$3" >"$run.json" 2>"$run.err" </dev/null ||
        { head -n 5 "$run.err" "$run.log" >&2; return 1; }
    local instructions hops bytes
    instructions=$(sed -n 's/.*I *refs: *//p' "$run.log" | tr -d ,)
    hops=$(sed -n 's/.*"data_hops":\([0-9.e+]*\).*/\1/p' "$run.json")
    bytes=$(sed -n 's/.*"bytes":\([0-9]*\).*/\1/p' "$run.json")
    echo "$instructions ${hops:-$((bytes / 1000))}"
}

# measure WORK TRANSPORT SIZE TWICE: instructions a unit
measure() {
    count "$1" "$2" "$3" >"$scratch/small" &
    local small=$!
    count "$1" "$2" "$4" >"$scratch/large"
    wait "$small"
    paste "$scratch/small" "$scratch/large" |
        awk 'NF == 4 { printf "%.0f\n", ($3 - $1) / ($4 - $2) }'
}

# make_row TRANSPORT: a row without a number. Without packets bytes cost nothing, but remarks do.
make_row() {
    if "$DDL_BUILD/ddl-bench-case" W "$1" --bytes=1MB | grep -q '"data_hops":null'; then
        echo "$1,remark,48MB,96MB,"
    else
        echo "$1,W,4MB,8MB,"
    fi
}

transports=$("$DDL_BUILD/ddl-bench" --help | sed -n 's/.*--transport=LIST *only these of stock, //p' |
    tr -d ,)
[[ -n $transports ]] || fail "ddl-bench --help lists no transports"
renewed="# SPDX-License-Identifier: GPL-2.0-only
# Instructions that a data-hop (or a kB, where there are no packets) costs; held by
# test/e2e/instructions.sh, which also renews it: test/e2e/instructions.sh --renew
transport,work,size,twice,instructions"
for transport in $transports; do
    stored=$(grep "^$transport," "$table") || stored=$(make_row "$transport")
    IFS=, read -r _ work size twice expected <<<"$stored"
    measured=$(measure "$work" "$transport" "$size" "$twice")
    [[ -n $measured ]] || { fail "$transport cannot be measured"; continue; }
    printf '%s: %s instructions a unit of %s, expected %s\n' "$transport" "$measured" "$work" \
        "${expected:-nothing yet}"
    renewed+=$'\n'$transport,$work,$size,$twice,$measured
    [[ -n $expected && ${1:-} != --renew ]] || continue
    [[ $measured -le $((expected * (100 + tolerance) / 100)) ]] ||
        fail "$transport costs more than $tolerance % above what it did; if that has to be: $renew"
    [[ $measured -ge $((expected * (100 - tolerance) / 100)) ]] ||
        echo "$transport costs less than it did: $renew"
done
[[ ${1:-} != --renew ]] || printf '%s\n' "$renewed" >"$table"
finish
