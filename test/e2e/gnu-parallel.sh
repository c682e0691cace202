#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# compare --engine=parallel: on this machine, and on two sshlogins that reach it through an sshd of its
# own. A run that the system kills, an interruption, --detach. The table is the local one to the byte,
# and nothing is left running.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

parallel --version 2>/dev/null | grep -q GNU || {
    echo "skipped: no GNU parallel (Debian: apt-get install parallel)"
    exit 77
}
cd "$scratch" || exit 1
cat >small.json <<'JSON'
{
  "name": "small",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 4}, "hosts": {"gpus": 1}},
  "transport": {"kind": "rdma"},
  "workload": {"jobs": [{"model": {"bytes": "10MB", "forward": "5ms"}, "workers": 4, "iterations": 20}]},
  "output": {"figures": false}
}
JSON
compare=("$DDL_BUILD/ddl-compare" small.json --vary=workload.jobs.0.iterations=8,9,10,11
    --seeds=12 --quiet)
expect_status 0 "${compare[@]}" --out=local

runs_of() { # runs_of FOLDER: process numbers of the runs of a comparison
    pgrep -f -- "ddl-run small.json .*--out=$scratch/$1/runs/"
}
ended() { # ended FOLDER COUNT: at least so many runs are over
    [[ $(ls "$1/tasks/ended" 2>/dev/null | wc -l) -ge $2 ]]
}
expect_nothing_left() {
    [[ -z $(pgrep -f -- "$scratch/.*/tasks/") ]] || fail "$1: GNU parallel is left"
    [[ -z $(pgrep -f -- "ddl-run small.json .*--out=$scratch") ]] || fail "$1: runs are left"
    [[ -z $(find . -name '*.part*' -o -name state.json) ]] || fail "$1: files are left"
}

expect_status 0 "${compare[@]}" --out=here --engine=parallel --jobs=2
cmp local/compare.csv here/compare.csv || fail "GNU parallel's table is another one"
expect_nothing_left "on this machine"

# A run that the system kills is run again, and the others are not disturbed.
"${compare[@]}" --out=killed --engine=parallel --jobs=2 >out 2>err </dev/null &
child=$!
wait_until "$child" "a run was under way" eval '[[ -n $(runs_of killed) ]]'
kill -KILL "$(runs_of killed | head -n 1)"
wait "$child" || fail "a run that was killed once is no failure"
expect_text err 'was killed, as for too much memory: asked for again'
cmp local/compare.csv killed/compare.csv || fail "after a kill the table is another one"

# Ctrl-C ends what runs; --detach leaves it, and --resume collects.
"${compare[@]}" --out=stopped --engine=parallel --jobs=2 >out 2>err </dev/null &
child=$!
wait_until "$child" "runs were over" ended stopped 2
kill -INT "$child"
wait "$child"
status=$?
[[ $status -eq 130 ]] || fail "an interrupted comparison ends with $status"
expect_nothing_left "after Ctrl-C"
expect_status 0 "${compare[@]}" --out=stopped --engine=parallel --jobs=2 --resume --detach
expect_status 1 "${compare[@]}" --out=stopped --engine=parallel --jobs=2
expect_text "$scratch/err" 'under way .*--resume collects them'
expect_status 0 "${compare[@]}" --out=stopped --engine=parallel --jobs=2 --resume
cmp local/compare.csv stopped/compare.csv || fail "collected, the table is another one"
expect_nothing_left "after --detach"

# Two hosts, which are this one.
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) && command -v ssh >/dev/null || {
    echo "not tried with hosts: no sshd (Debian: apt-get install openssh-server openssh-client)"
    finish
    exit
}
port=$((30000 + RANDOM % 10000))
ssh-keygen -q -t ed25519 -N '' -f host-key
ssh-keygen -q -t ed25519 -N '' -f user-key
mkdir -p /run/sshd 2>/dev/null # sshd of root wants it
cat >sshd-config <<CONF
Port $port
ListenAddress 127.0.0.1
ListenAddress 127.0.0.2
HostKey $scratch/host-key
AuthorizedKeysFile $scratch/user-key.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
MaxStartups 100
CONF
printf '[127.0.0.1]:%s %s\n[127.0.0.2]:%s %s\n' "$port" "$(cat host-key.pub)" "$port" "$(cat host-key.pub)" >known-hosts
cat >ssh-config <<CONF
Host one
  HostName 127.0.0.1
Host two
  HostName 127.0.0.2
Host *
  Port $port
  IdentityFile $scratch/user-key
  IdentitiesOnly yes
  UserKnownHostsFile $scratch/known-hosts
  BatchMode yes
CONF
"$sshd" -D -f sshd-config >sshd.log 2>&1 &
server=$!
disown
trap 'kill "$server" 2>/dev/null; rm -rf -- "$scratch"' EXIT
reached() { ssh -F ssh-config two true 2>/dev/null; }
wait_until "$server" "sshd answered" reached
printf 'one\ntwo\n' >hosts
expect_status 0 "${compare[@]}" --out=far --engine=parallel --jobs=1 --sshloginfile=hosts \
    --engine-option=--ssh "--engine-option=ssh -F $scratch/ssh-config"
cmp local/compare.csv far/compare.csv || fail "on two hosts the table is another one"
expect_nothing_left "on two hosts"

# Interrupted, what runs on the hosts ends, too.
"${compare[@]}" --out=far-stopped --engine=parallel --jobs=1 --sshloginfile=hosts \
    --engine-option=--ssh "--engine-option=ssh -F $scratch/ssh-config" >out 2>err </dev/null &
child=$!
wait_until "$child" "runs were over" ended far-stopped 2
kill -INT "$child"
wait "$child"
is_quiet() { [[ -z $(pgrep -f -- "ddl-run small.json .*--out=$scratch") ]]; }
wait_until "$server" "the hosts were quiet" is_quiet
finish
