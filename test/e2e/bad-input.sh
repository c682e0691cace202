#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Whatever is wrong with the input is said in words, all at once, with its place; nothing is written.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

run=("$DDL_BUILD/ddl-run")
out=(--out="$scratch/results" --quiet)

clean() { # no crash report of any kind, nothing half-written
    grep -qiE 'terminate|core dumped|segmentation|assert|what\(\)|NS_FATAL|stack' "$scratch/err" &&
        fail "this is no message for people: $(head -n 3 "$scratch/err")"
    [[ ! -e $scratch/results ]] || { fail "results were written"; rm -rf "$scratch/results"; }
}

bad() { # bad NAME JSON REGEX...: the scenario is refused, each regex is found
    local file=$scratch/$1.json regex
    printf '%s' "$2" >"$file"
    shift 2
    expect_status 2 "${run[@]}" "$file" "${out[@]}"
    for regex in "$@"; do expect_text "$scratch/err" "$regex"; done
    clean
}

set_bad() { # set_bad SETTING REGEX
    expect_status 2 "${run[@]}" two-jobs-one-link "${out[@]}" "--set=$1"
    expect_text "$scratch/err" "$2"
    clean
}

job='{"model": "VGG-16", "workers": 2, "pattern": "ring", "iterations": 2}'
bad wrong-key "{\"name\": \"x\", \"cluser\": {}, \"workload\": {\"jobs\": [$job]}}" \
    'wrong-key\.json:1: /cluser: .*did you mean "?cluster"?\?'
bad several "{
  \"name\": \"x\",
  \"cluster\": {\"topology\": {\"kind\": \"leaf-spine\", \"leaves\": -1}},
  \"transport\": {\"mtu\": \"big\"},
  \"scheduler\": {\"network\": \"grouperr\"},
  \"workload\": {\"jobs\": [$job]}
}" 'several\.json:3: /cluster/topology/leaves: ' 'several\.json:4: /transport/mtu: ' \
    'several\.json:5: /scheduler/network: .*did you mean "?grouper"?\?'
bad truncated '{"name": "x", "cluster": {' 'truncated\.json:1'
bad empty '' 'empty'
bad deep "$(printf '[%.0s' $(seq 10000))" 'deep\.json:1'
bad no-work '{"name": "x", "workload": {}}' '/workload'
bad negative "{\"name\": \"x\", \"workload\": {\"jobs\": [{\"model\": {\"name\": \"m\", \"bytes\": \"-5MB\"}, \"workers\": 2, \"pattern\": \"ring\", \"iterations\": 1}]}}" \
    '/workload/jobs/0/model/bytes'
bad too-large "{\"name\": \"x\", \"workload\": {\"jobs\": [{\"model\": \"VGG-16\", \"workers\": 1000, \"pattern\": \"ring\", \"iterations\": 1}]}}" \
    'too-large\.json:1: /workload/jobs/0.*1000'
bad duplicate-key '{"name": "x", "name": "y"}' 'duplicate-key\.json:1'
bad unit-missing "{\"name\": \"x\", \"cluster\": {\"topology\": {\"hostRate\": 10}}, \"workload\": {\"jobs\": [$job]}}" \
    '/cluster/topology/hostRate: .*10Gbps'

set_bad scheduler.network=baraatt 'did you mean "?baraat"?\?'
set_bad scheduler.nettwork=baraat '^--set: /scheduler/nettwork: .*did you mean "?network"?\?'
set_bad cluster.topology.hosts=0 '^--set: /cluster/topology/hosts: '
set_bad workload.jobs.7.workers=2 '^--set: '
set_bad cluster=nowhere '/cluster'

expect_status 2 "${run[@]}" "$scratch/nothing-here.json" "${out[@]}"
clean
expect_status 2 "${run[@]}" quickstar "${out[@]}"
expect_text "$scratch/err" 'did you mean "?quickstart"?\?'
clean
expect_status 2 "${run[@]}" "${out[@]}"
expect_status 2 "${run[@]}" two-jobs-one-link --sett=x "${out[@]}"
expect_text "$scratch/err" '\-\-set'
expect_status 2 "${run[@]}" two-jobs-one-link stray words "${out[@]}"
clean

# A folder that cannot be: exit status 1, before anything runs.
: >"$scratch/file"
expect_status 1 "${run[@]}" two-jobs-one-link --quiet --out="$scratch/file/sub"
expect_text "$scratch/err" '\-\-out'
finish
