#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `ddl check` answers whatever the scenario: a policy that never returns, jobs without end, a trace without
# end. Its bound of 5 s is not tested, since that would test the machine: 60 s are.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

check() { # check STATUS ARGUMENT...
    local wanted=$1
    shift
    expect_status "$wanted" timeout 60 "$DDL_BUILD/ddl-check" "$@"
    # Nothing that it started is left behind.
    pgrep -f "ddl-check $scratch" >/dev/null && fail "ddl-check $*: a process is left"
}

scenario() { # scenario NAME SCHEDULER WORKLOAD
    cat >"$scratch/$1.json" <<JSON
{"name": "$1",
 "cluster": {"topology": {"kind": "single-switch", "hosts": 4}, "hosts": {"gpus": 1}},
 "transport": {"kind": "fluid"},
 "scheduler": $2,
 "workload": $3}
JSON
}
job='{"model": {"bytes": "1MB", "forward": "1ms"}, "workers": 2, "iterations": 1000000}'

# A policy that never returns when fewer GPUs are free than it says.
cat >"$scratch/endless.cc" <<'TEXT'
#include "ns3/ddl-placement-policy.h"
#include "ns3/uinteger.h"

class EndlessPlacement : public ns3::ddl::PlacementPolicy
{
  public:
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId id = ns3::TypeId("EndlessPlacement")
                                    .SetParent<ns3::ddl::PlacementPolicy>()
                                    .AddConstructor<EndlessPlacement>()
                                    .AddAttribute("Free",
                                                  "free GPUs with which it does return",
                                                  ns3::UintegerValue(4),
                                                  ns3::MakeUintegerAccessor(&EndlessPlacement::m_free),
                                                  ns3::MakeUintegerChecker<uint32_t>(0, 5));
        return id;
    }

    std::string GetSummary() const override
    {
        return "never returns unless so many GPUs are free";
    }

  private:
    ns3::ddl::PlacementAnswer DoPlace(const ns3::ddl::PlacementView& view) override
    {
        std::vector<ns3::ddl::GpuId> free;
        for (const auto& machine : view.cluster.machines)
        {
            for (const auto& gpu : machine.gpus)
            {
                if (gpu.free)
                {
                    free.push_back(gpu.id);
                }
            }
        }
        for (volatile int i = 0; free.size() < m_free; i = i + 1)
        {
        }
        ns3::ddl::Placement placement;
        for (uint32_t i = 0; i < view.workers; ++i)
        {
            placement.workers.push_back(free[i]);
        }
        return placement;
    }

    uint32_t m_free;
};

NS_OBJECT_ENSURE_REGISTERED(EndlessPlacement);
TEXT
c++ -shared -fPIC -DNS3_LOG_ENABLE -I"$DDL_BUILD/include" "$scratch/endless.cc" -o "$scratch/endless.so" ||
    fail "the plugin cannot be compiled"

# The second job arrives at 1 s, when the first holds 2 of 4 GPUs.
scenario late '{"placement": "endless-placement"}' "{\"jobs\": [$job, {\"submit\": \"1s\", ${job#\{}]}"
check 0 "$scratch/late.json" --plugin="$scratch/endless.so"
expect_text "$scratch/out" '^work: +0 cojobs, 2 jobs'
expect_text "$scratch/out" '^unseen: +the trial did not end in time: '
[[ ! -s $scratch/err ]] || fail "late: $(cat "$scratch/err")"

# Five free GPUs there never are: reading asks the policy whether jobs fit.
check 1 "$scratch/late.json" --plugin="$scratch/endless.so" --set=scheduler.placement.Free=5
expect_text "$scratch/err" 'late\.json: the time was too short to read it: nothing is known yet \(--quiet'
[[ ! -s $scratch/out ]] || fail "late: $(cat "$scratch/out")"

# Ten million jobs, all at time 0.
scenario many '{}' '{"generator": {"kind": "jobs", "jobs": 10000000, "iterations": 100, "servers": 0, "workers": 2,
                     "models": [{"name": "m", "bytes": "1MB", "forward": "1ms"}]}}'
check 0 "$scratch/many.json"
expect_text "$scratch/out" '^many$'
expect_text "$scratch/out" '^unseen: +(the trial had the first 10000 arrivals only|all but that it can be read)'

# A trace that is still being written, and is never complete.
scenario pipe '{}' "{\"trace\": \"$scratch/rows\"}"
mkfifo "$scratch/rows"
(exec >"$scratch/rows"; echo num_gpu,submit_time,iterations; exec sleep 60) &
writer=$!
check 1 "$scratch/pipe.json"
expect_text "$scratch/err" 'pipe\.json: the time was too short to read it'
kill "$writer"

# Wrong input is wrong input, and said once.
scenario wrong '{"placement": "nowhere"}' "{\"jobs\": [$job]}"
check 2 "$scratch/wrong.json"
[[ $(grep -c nowhere "$scratch/err") -eq 1 ]] || fail "wrong: $(cat "$scratch/err")"
check 2 "$scratch/wrong.json" --quiet

# Bad input that only a trial meets is not a matter of time.
scenario late-wrong '{}' "{\"jobs\": [$job]}"
mltcp=ns3::ddl::MltcpRdmaCongestionControl::Control
check 2 "$scratch/late-wrong.json" --set='transport={"kind": "rdma", "congestionControl": "mltcp"}' --$mltcp=fixed
expect_text "$scratch/err" '^MltcpRdmaCongestionControl::Control: fixed has no additive increase to scale'
[[ ! -s $scratch/out ]] || fail "late-wrong: $(cat "$scratch/out")"

# What jobs without work are: warnings, of check and of run.
scenario empty '{}' '{"jobs": [{"model": {"name": "m", "bytes": "1MB"}, "workers": 1, "iterations": 3}]}'
said='warning: an iteration of 1 job \(job 1, m\) takes no time: '
check 0 "$scratch/empty.json"
expect_text "$scratch/err" "^$said"
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/empty.json" --quiet --out="$scratch/results"
expect_text "$scratch/err" "^$said"
expect_text "$scratch/results/summary.json" 'it computes nothing and sends nothing'
finish
