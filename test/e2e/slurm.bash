# SPDX-License-Identifier: GPL-2.0-only
# A cluster of Slurm on this machine: munged, slurmctld and two slurmd in $scratch, on ports of their own.
# Sourced after lib.bash; `stop_slurm` ends all of it.

slurm_daemons=()
nodes=(n1 n2)
slurm=$scratch/slurm
export SLURM_CONF=$slurm/slurm.conf
unset "${!SLURM_JOB@}" "${!SBATCH_@}" "${!SQUEUE_@}"

# missing_slurm: what is not installed, or what this system does not allow; nothing if Slurm can be started
missing_slurm() {
    local program
    for program in munged slurmctld slurmd sbatch; do
        command -v "$program" >/dev/null || {
            echo "no $program (Debian: apt-get install slurmctld slurmd slurm-client munge)"
            return
        }
    done
    [[ $EUID -eq 0 ]] || echo "slurmd needs root"
}

# free_port: a TCP port that nobody listens on
free_port() {
    local port
    while port=$((20000 + RANDOM % 10000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

# start_daemon COMMAND...: in the foreground of a process of its own, which ends with the test
start_daemon() {
    "$@" >>"$slurm/daemons.log" 2>&1 </dev/null &
    slurm_daemons+=($!)
    disown
}

start_node() { # start_node NAME
    start_daemon slurmd -D -N "$1"
    printf '%s' "${slurm_daemons[-1]}" >"$slurm/$1.process"
}

# limit_memory: before start_slurm; tasks that exceed their memory are killed by the kernel. The names of the
# nodes are those of cgroups, which all Slurms of this machine share.
limit_memory() {
    memory_groups=/sys/fs/cgroup/memory
    nodes=("n1-$$" "n2-$$")
}

# start_slurm CPUS: two nodes with that many CPUs each, whatever this machine has
start_slurm() {
    local host name port tasks=task/none
    host=$(hostname -s)
    mkdir -p "$slurm"/{state,"${nodes[0]}","${nodes[1]}"}
    if [[ -n ${memory_groups:-} ]]; then
        tasks=task/cgroup
        printf '%s\n' CgroupPlugin=cgroup/v1 CgroupMountpoint=/sys/fs/cgroup ConstrainRAMSpace=yes >"$slurm/cgroup.conf"
    fi
    chmod 755 "$scratch"
    chmod 700 "$slurm"
    dd if=/dev/urandom of="$slurm/key" bs=128 count=1 2>/dev/null
    chmod 600 "$slurm/key"
    cat >"$SLURM_CONF" <<CONF
ClusterName=ddltest
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=$tasks
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
MaxArraySize=3
ReturnToService=2
SlurmdTimeout=30
KillWait=5
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
PartitionName=all Nodes=${nodes[0]},${nodes[1]} Default=YES MaxTime=INFINITE State=UP
CONF
    for name in "${nodes[@]}"; do
        port=$(free_port)
        echo "NodeName=$name NodeHostname=$host NodeAddr=127.0.0.1 Port=$port CPUs=$1 RealMemory=8000 State=UNKNOWN" >>"$SLURM_CONF"
    done
    start_daemon munged --foreground --force --socket="$slurm/munge.socket" --key-file="$slurm/key" \
        --pid-file="$slurm/munge.pid" --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed"
    wait_until "${slurm_daemons[0]}" "munged answered" test -S "$slurm/munge.socket"
    start_daemon slurmctld -D
    start_node "${nodes[0]}"
    start_node "${nodes[1]}"
    wait_until "${slurm_daemons[1]}" "both nodes were idle" nodes_idle
}

nodes_idle() {
    [[ $(sinfo --noheader --Node --format=%t 2>/dev/null | grep -c '^idle$') -eq 2 ]]
}

stop_slurm() {
    local process
    for process in "${slurm_daemons[@]}"; do
        kill "$process" 2>/dev/null
    done
    for process in "${slurm_daemons[@]}"; do
        for _ in {1..100}; do
            kill -0 "$process" 2>/dev/null || continue 2
            sleep 0.1
        done
        kill -KILL "$process" 2>/dev/null
    done
    [[ -z ${memory_groups:-} ]] ||
        find "$memory_groups/slurm_${nodes[0]}" "$memory_groups/slurm_${nodes[1]}" -depth -type d \
            -exec rmdir {} \; 2>/dev/null
}
