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

# ns-3's own options: a bad value is bad input, said in one line with all that is wrong elsewhere.
ns3_bad() { # ns3_bad OPTION REGEX
    expect_status 2 "${run[@]}" two-jobs-one-link "${out[@]}" "$1" --seed=abc --set=transport.mtu=1
    expect_text "$scratch/err" "$2"
    expect_text "$scratch/err" '^--seed: /seed: must be a whole number'
    expect_text "$scratch/err" '^--set: /transport/mtu: must be'
    [[ $(wc -l <"$scratch/err") -eq 3 ]] || fail "$1: not three lines: $(cat "$scratch/err")"
    clean
}
ns3_bad --SchedulerType=ns3::Node '^--SchedulerType: "ns3::Node" is no ns3::Scheduler'
ns3_bad --SchedulerType=ns3::HeapSchedule 'did you mean ns3::HeapScheduler\?$'
ns3_bad --SchedulerType= '^--SchedulerType: '
ns3_bad --SimulatorImplementationType=ns3::Node '^--SimulatorImplementationType: '
ns3_bad --RngRun=abc '^--RngRun: "abc" is no value'
ns3_bad --RngRun=-1 '^--RngRun: '
ns3_bad --RngRun '^--RngRun: needs a value'
ns3_bad --RngSeed=99999999999999999999 '^--RngSeed: '
ns3_bad --RngSeed=7 '^--RngSeed: has no effect, as the scenario sets it: --set=seed=7$'
ns3_bad --ns3::ddl::Coordinator::Period=10ms '^--ns3::ddl::Coordinator::Period: has no effect.*--set=scheduler\.period=10ms$'
ns3_bad --ns3::ddl::Fabric::Mtu=9000 '--set=transport\.mtu=9000$'
ns3_bad --ChecksumEnabled=maybe '^--ChecksumEnabled: '
ns3_bad --ns3::ddl::FluidTransport::HeaderBytes=abc '^--ns3::ddl::FluidTransport::HeaderBytes: '
ns3_bad --ns3::ddl::FluidTransport::HeaderByte=1 'did you mean "HeaderBytes"\?'
ns3_bad --ns3::ddl::FluidTranport::HeaderBytes=1 'did you mean ns3::ddl::FluidTransport\?'
ns3_bad --ns3::ddl::FluidTransport::HeaderBytes '^--ns3::ddl::FluidTransport::HeaderBytes: needs a value'
ns3_bad --ns3::TcpSocket::SegmentSize=abc '^--ns3::TcpSocket::SegmentSize: '
ns3_bad --ns3::TcpSocketBase::SegmentSize=1000 'derived from'
ns3_bad --ns3::TcpSocketBase::MinRto=1 '^--ns3::TcpSocketBase::MinRto: '
ns3_bad --ns3::TcpL4Protocol::SocketType=ns3::Node '^--ns3::TcpL4Protocol::SocketType: '
ns3_bad --ns3::TcpL4Protocol::RecoveryType=nobody '^--ns3::TcpL4Protocol::RecoveryType: '
ns3_bad --ns3:: '^--ns3::: '
ns3_bad --PrintAttributes=ns3::Nod '^--PrintAttributes: there is no class'
expect_status 0 "${run[@]}" --PrintAttributes=ns3::Node
expect_status 0 "${run[@]}" two-jobs-one-link --quiet --set=transport.kind=fluid --set=output.figures=false \
    --out="$scratch/fine" --RngRun=7 --SchedulerType=ns3::HeapScheduler --ns3::ddl::FluidTransport::HeaderBytes=100

# One line an error, whatever is in a name; a long value is not echoed whole.
set_bad $'name=a\nb' '^--set: /name: must do as the name of a folder'
set_bad "scheduler.network=$(printf 'x%.0s' {1..10000})" '^--set: /scheduler/network: .{60,200}\.\.\." \(one of'
set_bad $'scheduler.network=a\nb' '^--set: /scheduler/network: .*"a\\nb"'
expect_status 2 "${run[@]}" $'no\nsuch' "${out[@]}"
[[ $(wc -l <"$scratch/err") -eq 1 ]] || fail "a name of two lines makes two lines"
expect_status 2 "${run[@]}" two-jobs-one-link "--$(printf 'x%.0s' {1..10000})"
[[ $(wc -c <"$scratch/err") -lt 1000 ]] || fail "a long option is echoed whole"
set_bad transport.localRate=0bps '^--set: /transport/localRate: "0bps" is too little'
set_bad scheduler.network=spft 'did you mean "?sptf"?\?'
set_bad workload.jobs.0.pattern=rign 'did you mean "?ring"?\?'

# A scenario may come through a pipe.
mkfifo "$scratch/pipe"
cat "$DDL_HOME/scenarios/two-jobs-one-link/scenario.json" >"$scratch/pipe" &
expect_status 0 "$DDL_BUILD/ddl-check" "$scratch/pipe"
expect_text "$scratch/out" 'two-jobs-one-link'

# A folder that cannot be: exit status 1, before anything runs.
: >"$scratch/file"
expect_status 1 "${run[@]}" two-jobs-one-link --quiet --out="$scratch/file/sub"
expect_text "$scratch/err" '\-\-out'
finish
