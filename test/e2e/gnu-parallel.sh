#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# compare --engine=parallel: on this machine, and on two sshlogins that reach it through an sshd of its
# own. A run that the system kills, an interruption, --detach. The table is the local one to the byte,
# and nothing is left running.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"
source "$here/engines.bash"

parallel --version 2>/dev/null | grep -q GNU || {
    echo "skipped: no GNU parallel (Debian: apt-get install parallel)"
    exit 77
}
cd "$scratch" || exit 1
compare_small 8,9,10,11 12

expect_nothing_left() {
    [[ -z $(pgrep -f -- "$scratch/.*/tasks/") ]] || fail "$1: GNU parallel is left"
    expect_no_runs "$1"
    expect_no_files "$1"
}

expect_status 0 "${compare[@]}" --out=here --engine=parallel --jobs=2
expect_table here "on this machine"
expect_nothing_left "on this machine"

# A run that the system kills is run again, and the others are not disturbed.
"${compare[@]}" --out=killed --engine=parallel --jobs=2 >out 2>err </dev/null &
child=$!
wait_until "$child" "a run was under way" eval '[[ -n $(runs_of killed) ]]'
kill -KILL "$(runs_of killed | head -n 1)"
wait "$child" || fail "a run that was killed once is no failure"
expect_text err 'was killed, as for too much memory: asked for again'
expect_table killed "after a kill"

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
expect_status 1 "${compare[@]}" --out=stopped --resume # local
expect_text "$scratch/err" 'has submitted these runs to parallel .*with --resume, collects them'
expect_status 0 "${compare[@]}" --out=stopped --engine=parallel --jobs=2 --resume
expect_table stopped "collected"
expect_nothing_left "after --detach"

# --until: what it decides does not depend on the engine, on an interruption, or on being collected.
until=("$DDL_BUILD/ddl-compare" small.json --vary=workload.jobs.0.iterations=8,9 --quiet "--until=jct_s<=0.05%"
    --max-seeds=14 --set=workload.compute.jitter='{"type": "normal-random-variable", "Mean": 1, "Variance": 0.01}')
expect_status 0 "${until[@]}" --out=until-local
[[ $(column until-local/compare.csv until_seeds | sort -u | tail -n 1) -gt 8 ]] || fail "no seeds were added"
expect_until() { # expect_until FOLDER WHEN
    cmp until-local/compare.csv "$1/compare.csv" || fail "--until, $2: the table is another one"
}
expect_status 0 "${until[@]}" --out=until-whole --engine=parallel --jobs=2
expect_until until-whole "in one go"
"${until[@]}" --out=until-stopped --engine=parallel --jobs=2 >out 2>err </dev/null &
child=$!
wait_until "$child" "runs were over" ended until-stopped 3
kill -INT "$child"
wait "$child"
[[ $? -eq 130 ]] || fail "--until was not interrupted"
before=$(cd until-stopped/runs && stat --format='%n %i' */summary.json)
expect_status 0 "${until[@]}" --out=until-stopped --engine=parallel --jobs=2 --resume
expect_until until-stopped "after Ctrl-C"
(cd until-stopped/runs && stat --format='%n %i' */summary.json) >after
[[ $(grep -cxF -f after <<<"$before") -eq $(wc -l <<<"$before") && -n $before ]] || fail "seeds that were there ran again"
for look in {1..9}; do # each call submits a look and leaves it, or has nothing more to do
    expect_status 0 "${until[@]}" --out=until-left --engine=parallel --jobs=2 --resume --detach
    grep -q 'submitted: ' "$scratch/err" || break
    is_over() { ! pgrep -f -- "$scratch/until-left/tasks/" >/dev/null; }
    until is_over; do sleep 0.1; done
done
[[ $look -gt 2 ]] || fail "--until --detach had $look looks"
expect_until until-left "look by look"
expect_nothing_left "after --until"

# A host that does not answer.
printf 'no-such-host.invalid\n' >nobody-there
expect_status 1 "${compare[@]}" --out=nobody --engine=parallel --sshloginfile=nobody-there
expect_text "$scratch/err" 'GNU parallel does not reach all hosts: .*no-such-host'

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
expect_table far "on two hosts"
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
