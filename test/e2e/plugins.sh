#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A network of one's own from a plugin; libraries that are no plugins of this build are refused with a
# sentence and status 2, whatever they do when they are loaded, and nothing runs.
source "$(dirname -- "${BASH_SOURCE[0]}")/lib.bash"

compile() { # compile NAME [ARGUMENT]...: a library from the text on stdin
    local name=$1
    shift
    c++ -shared -fPIC -x c++ - -o "$scratch/$name.so" "$@" || fail "$name.so cannot be compiled"
}

refuse() { # refuse FILE REGEX
    expect_status 2 "$DDL_BUILD/ddl-run" two-jobs-one-link --out="$scratch/results" --plugin="$1"
    expect_text "$scratch/err" "$2"
    [[ $(wc -l <"$scratch/err") -eq 1 ]] || fail "$1: more than a line: $(cat "$scratch/err")"
    [[ ! -e $scratch/results ]] || fail "$1: something ran"
    expect_status 2 "$DDL_BUILD/ddl-check" two-jobs-one-link --plugin="$1"
    expect_status 2 "$DDL_BUILD/ddl-list" --plugin="$1"
}

compile nothing <<<'int something;'
refuse "$scratch/nothing.so" '^--plugin: cannot load ".*nothing\.so": it registers no class$'

compile throws <<<'#include <stdexcept>
struct Bad { Bad() { throw std::runtime_error("oh"); } } bad;'
refuse "$scratch/throws.so" '^--plugin: cannot load ".*throws\.so": (it throws: oh|loading it ends the program)'

compile crashes <<<'struct Bad { Bad() { *(volatile int*)nullptr = 1; } } bad;'
how='loading it ends the program \(Segmentation fault\)'
# AddressSanitizer takes the signal and exits.
grep -qx 'DDL_SANITIZE:BOOL=ON' "$DDL_BUILD/CMakeCache.txt" 2>/dev/null && how='loading it ends the program'
refuse "$scratch/crashes.so" "$how"

compile exits <<<'#include <cstdlib>
struct Bad { Bad() { std::_Exit(0); } } bad;'
refuse "$scratch/exits.so" 'loading it ends the program'

compile whole <<<'char large[1 << 20] = {1}; int main() { return large[0]; }'
head -c 5000 "$scratch/whole.so" >"$scratch/truncated.so"
refuse "$scratch/truncated.so" '^--plugin: cannot load ".*truncated\.so": '
: >"$scratch/empty.so"
refuse "$scratch/empty.so" '^--plugin: cannot load ".*empty\.so": '
refuse "$scratch" 'it is no file'
mkfifo "$scratch/pipe.so"
refuse "$scratch/pipe.so" 'it is no file'
refuse "$scratch/none.so" 'there is no such file'
echo 'not a library' >"$scratch/text.so"
refuse "$scratch/text.so" '^--plugin: cannot load ".*text\.so": '

# Built for another build of the module, whose library has another name.
compile libddl -Wl,-soname,libddl.so.0.0.0-elsewhere <<<'extern "C" int elsewhere() { return 1; }'
compile other -L"$scratch" -Wl,--no-as-needed -l:libddl.so <<<'extern "C" int elsewhere();
int here = elsewhere();'
refuse "$scratch/other.so" 'built for another build of this module'

# A class that is smaller than the one it is derived from was compiled with other headers.
cat >"$scratch/small.cc" <<'TEXT'
#include "ns3/ddl-network-scheduler.h"
namespace
{
struct Small : ns3::Object // takes itself for a scheduler
{
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId id = ns3::TypeId("Small").SetParent<ns3::ddl::NetworkScheduler>();
        return id;
    }
};
NS_OBJECT_ENSURE_REGISTERED(Small);
}
TEXT
compile small -DNS3_LOG_ENABLE -I"$DDL_BUILD/include" <"$scratch/small.cc"
refuse "$scratch/small.so" 'Small is smaller than ns3::ddl::NetworkScheduler'

# A ring of switches: `kind` and the attributes are keys of the scenario, settable and checked.
cat >"$scratch/ring.cc" <<'TEXT'
#include "ns3/ddl-topology.h"

class RingTopology : public ns3::ddl::Topology
{
  public:
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId id = ns3::TypeId("RingTopology")
                                    .SetParent<ns3::ddl::Topology>()
                                    .AddConstructor<RingTopology>()
                                    .AddAttribute("Switches",
                                                  "switches on the ring",
                                                  ns3::UintegerValue(4),
                                                  ns3::MakeUintegerAccessor(&RingTopology::m_switches),
                                                  ns3::MakeUintegerChecker<uint32_t>(3, 100));
        return id;
    }

    std::string GetSummary() const override
    {
        return "a ring of switches, one host at each";
    }

  private:
    uint64_t DoCountHosts() const override
    {
        return m_switches;
    }

    void DoMakePlan(ns3::ddl::TopologyPlan& plan) const override
    {
        for (uint32_t i = 0; i < m_switches; ++i)
        {
            plan.AddHosts(plan.AddSwitch("switch" + std::to_string(i)), 1);
        }
        for (uint32_t i = 0; i < m_switches; ++i) // each switch is followed by its host
        {
            plan.Connect(2 * i, 2 * ((i + 1) % m_switches), ns3::DataRate("10Gbps"));
        }
    }

    uint32_t m_switches;
};

NS_OBJECT_ENSURE_REGISTERED(RingTopology);
TEXT
compile ring -DNS3_LOG_ENABLE -I"$DDL_BUILD/include" <"$scratch/ring.cc"
cat >"$scratch/ring.json" <<'JSON'
{
  "name": "ring",
  "cluster": {"topology": {"kind": "ring", "switches": 5}, "hosts": {"gpus": 1}},
  "workload": {"jobs": [{"model": {"bytes": "1MB", "forward": "1ms"}, "workers": 5, "pattern": "ring", "iterations": 2}]}
}
JSON
plugin=--plugin=$scratch/ring.so
expect_status 0 "$DDL_BUILD/ddl-list" "$plugin"
expect_text "$scratch/out" 'ring +a ring of switches, one host at each'
expect_status 0 "$DDL_BUILD/ddl-check" "$scratch/ring.json" "$plugin"
expect_text "$scratch/out" '^topology: ring, 5 hosts with 5 GPUs, 5 switches, 10 links$'
# An iteration computes for 1 ms and sends 8/5 of 1 MB at 10 Gbps, 1.28 ms: 4.6 ms in all
# (TCP starts slowly).
for transport in tcp rdma fluid; do
    expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/ring.json" "$plugin" --set=transport.kind=$transport \
        --out="$scratch/ring-$transport"
    expect_text "$scratch/ring-$transport/summary.json" '"unfinished": \[\]'
    [[ $transport == tcp ]] || expect_text "$scratch/ring-$transport/summary.json" '"mean": 0\.004[5-9]'
done
expect_status 2 "$DDL_BUILD/ddl-run" "$scratch/ring.json" "$plugin" --set=cluster.topology.switches=2
expect_text "$scratch/err" '^--set: /cluster/topology/switches: must be a whole number from 3 to 100'
expect_status 2 "$DDL_BUILD/ddl-check" "$scratch/ring.json"
expect_text "$scratch/err" 'kind.*"ring"'

# Path selectors of one's own, by name: one that keeps flows to the last port, one that takes ports in
# turn, and one that names a port that is not there.
cat >"$scratch/paths.cc" <<'TEXT'
#include "ns3/ddl-path-selector.h"
#include "ns3/uinteger.h"

namespace
{
using namespace ns3::ddl;

template <typename Self>
ns3::TypeId MakeType(const char* name)
{
    return ns3::TypeId(name).SetParent<PathSelector>().template AddConstructor<Self>();
}

struct LastPathSelector : PathSelector
{
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId id = MakeType<LastPathSelector>("LastPathSelector");
        return id;
    }
    std::string GetSummary() const override { return "always the last port"; }
    PathSpread GetSpread() const override { return PathSpread::FLOW; }
    uint32_t DoPick(uint32_t, uint32_t, uint32_t count) const override { return count - 1; }
};

struct TurnsPathSelector : PathSelector
{
    static ns3::TypeId GetTypeId()
    {
        static ns3::TypeId id =
            MakeType<TurnsPathSelector>("TurnsPathSelector")
                .AddAttribute("Beyond",
                              "ports beyond the last",
                              ns3::UintegerValue(0),
                              ns3::MakeUintegerAccessor(&TurnsPathSelector::m_beyond),
                              ns3::MakeUintegerChecker<uint32_t>());
        return id;
    }
    std::string GetSummary() const override { return "ports in turn"; }
    PathSpread GetSpread() const override { return PathSpread::STATE; }
    uint32_t DoChoose(const PathQuery& query) override
    {
        return m_next++ % (query.count + m_beyond);
    }
    void DoReset() override { m_next = 0; }

    uint32_t m_beyond;
    uint32_t m_next{0};
};

NS_OBJECT_ENSURE_REGISTERED(LastPathSelector);
NS_OBJECT_ENSURE_REGISTERED(TurnsPathSelector);
} // namespace
TEXT
compile paths -DNS3_LOG_ENABLE -I"$DDL_BUILD/include" <"$scratch/paths.cc"
cat >"$scratch/paths.json" <<'JSON'
{
  "name": "paths",
  "cluster": {"topology": {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 1, "spines": 3, "routing": "last"}, "hosts": {"gpus": 1}},
  "transport": {"kind": "rdma", "recovery": "selective-repeat"},
  "workload": {"jobs": [{"model": {"bytes": "3MB", "forward": "1ms"}, "workers": 2, "pattern": "ring", "iterations": 4}]},
  "output": {"figures": false}
}
JSON
plugin=--plugin=$scratch/paths.so
expect_status 0 "$DDL_BUILD/ddl-list" "$plugin"
expect_text "$scratch/out" 'last +always the last port'
expect_status 2 "$DDL_BUILD/ddl-check" "$scratch/paths.json"
expect_text "$scratch/err" 'topology/routing.*"last" \(one of adaptive, d-mod-k, ecmp'

spread() { # spread NAME: packets of data from leaf0 to each spine
    awk -F, 'NR > 1 && $1 == "leaf0" && $3 ~ /^spine/ && $4 > 0 {n[$3] += $5}
        END {print n["spine0"] + 0, n["spine1"] + 0, n["spine2"] + 0}' "$scratch/$1/ports.csv"
}

for routing in last turns; do
    expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/paths.json" "$plugin" --out="$scratch/$routing" \
        --set=cluster.topology.routing=$routing
done
read -r first second third < <(spread last)
[[ $first -eq 0 && $second -eq 0 && $third -gt 4000 ]] || fail "last: $first, $second, $third packets"
# Three successive packets take three ports, so only priority 0, which is not counted, makes a difference.
read -r first second third < <(spread turns)
[[ $first -gt 1300 && $((first - third)) -le 40 && $((third - first)) -le 40 &&
    $((first - second)) -le 40 && $((second - first)) -le 40 ]] || fail "turns: $first, $second, $third packets"
expect_status 0 "$DDL_BUILD/ddl-run" "$scratch/paths.json" "$plugin" --set=transport.kind=fluid \
    --out="$scratch/last-fluid"
expect_status 2 "$DDL_BUILD/ddl-run" "$scratch/paths.json" "$plugin" --set=transport.kind=fluid \
    --set=cluster.topology.routing=turns --out="$scratch/refused"
expect_text "$scratch/err" 'routing: fluids cannot follow it'
expect_status 1 "$DDL_BUILD/ddl-run" "$scratch/paths.json" "$plugin" --out="$scratch/beyond" \
    --set=cluster.topology.routing.type=turns --set=cluster.topology.routing.Beyond=2
expect_text "$scratch/err" 'TurnsPathSelector chose port 3 of 3'
finish
