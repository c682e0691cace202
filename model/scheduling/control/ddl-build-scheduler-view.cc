// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-build-scheduler-view.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

/** Seconds by port; ports without load are left out at the end. */
using LoadByPort = std::map<uint32_t, double>;

class ViewBuilder
{
  public:
    ViewBuilder(const ViewRequest& request, const std::vector<DataRate>& rates)
        : m_request(request),
          m_rates(rates)
    {
        m_view.now = request.now;
        m_view.ports = 2 * rates.size();
    }

    void AddStages(const LiveCojob& cojob);
    void AddJobs(const LiveCojob& cojob);
    void AddCoflows(const LiveCojob& cojob);
    SchedulerView m_view;

  private:
    bool RunsStage(const LiveCojob& cojob, const LiveJob& job, uint32_t stage) const;
    uint64_t CountIterationsLeft(const LiveCojob& cojob, const LiveJob& job, uint32_t stage) const;
    void AddBytes(LoadByPort& load,
                  uint32_t port,
                  HostId host,
                  uint64_t times,
                  uint64_t bytes) const;
    void AddLoad(LoadByPort& load, const LiveJob& job, uint64_t iterations) const;
    void AddCoflowLoad(LoadByPort& load, const LiveJob& job, uint32_t iteration) const;

    const ViewRequest& m_request;
    const std::vector<DataRate>& m_rates;
};

/** \return true if the job takes part in that stage, as far as the policy may know */
bool
ViewBuilder::RunsStage(const LiveCojob& cojob, const LiveJob& job, uint32_t stage) const
{
    const uint32_t last = m_request.clairvoyant ? job.lastStage : cojob.iterations.size();
    return stage >= cojob.stage && stage <= last;
}

uint64_t
ViewBuilder::CountIterationsLeft(const LiveCojob& cojob, const LiveJob& job, uint32_t stage) const
{
    const uint32_t all = cojob.iterations.at(stage - 1);
    const uint32_t done = stage == cojob.stage ? job.iterationsDone : 0;
    return all - std::min(all, done);
}

void
ViewBuilder::AddBytes(LoadByPort& load, uint32_t port, HostId host, uint64_t times, uint64_t bytes)
    const
{
    if (times > 0 && bytes > 0)
    {
        const double bits = 8.0 * static_cast<double>(times) * static_cast<double>(bytes);
        load[port] += bits / static_cast<double>(m_rates[host.value].GetBitRate());
    }
}

void
ViewBuilder::AddLoad(LoadByPort& load, const LiveJob& job, uint64_t iterations) const
{
    for (const auto& moved : job.bytes)
    {
        NS_ABORT_MSG_IF(moved.host.value >= m_rates.size(),
                        "machine " << moved.host << " has no known rate");
        AddBytes(load, 2 * moved.host.value, moved.host, iterations, moved.sent);
        AddBytes(load, 2 * moved.host.value + 1, moved.host, iterations, moved.received);
    }
}

std::vector<PortLoad>
AsPortLoads(const LoadByPort& load)
{
    std::vector<PortLoad> loads;
    for (const auto& [port, seconds] : load)
    {
        loads.push_back({port, seconds});
    }
    return loads;
}

void
ViewBuilder::AddStages(const LiveCojob& cojob)
{
    int32_t predecessor = NO_PREDECESSOR;
    for (uint32_t stage = cojob.stage; stage <= cojob.iterations.size(); ++stage)
    {
        UnitView unit;
        LoadByPort load;
        bool exists = false;
        for (const auto& job : cojob.jobs)
        {
            if (RunsStage(cojob, job, stage))
            {
                exists = true;
                AddLoad(load, job, CountIterationsLeft(cojob, job, stage));
            }
        }
        if (!exists)
        {
            break;
        }
        unit.cojob = cojob.id;
        unit.stage = stage;
        unit.stages = cojob.iterations.size();
        unit.active = stage == cojob.stage;
        unit.release = unit.active ? cojob.release : Time::Max();
        unit.predecessor = predecessor;
        unit.load = AsPortLoads(load);
        predecessor = static_cast<int32_t>(m_view.units.size());
        m_view.units.push_back(std::move(unit));
    }
}

void
ViewBuilder::AddJobs(const LiveCojob& cojob)
{
    for (const auto& job : cojob.jobs)
    {
        uint64_t iterations = 0;
        for (uint32_t stage = cojob.stage; stage <= cojob.iterations.size(); ++stage)
        {
            iterations += RunsStage(cojob, job, stage) ? CountIterationsLeft(cojob, job, stage) : 0;
        }
        LoadByPort load;
        AddLoad(load, job, iterations);
        UnitView unit;
        unit.cojob = cojob.id;
        unit.job = job.job;
        unit.weight = job.weight;
        unit.stage = cojob.stage;
        unit.stages = cojob.iterations.size();
        unit.active = true;
        unit.release = cojob.arrival;
        unit.load = AsPortLoads(load);
        m_view.units.push_back(std::move(unit));
    }
}

/** \return what is left of an iteration's bytes when `moved` have been moved since the launch */
uint64_t
CountLeft(uint64_t bytes, uint32_t iteration, uint64_t moved)
{
    const uint64_t before = bytes * (iteration - 1);
    return moved <= before ? bytes : bytes - std::min(bytes, moved - before);
}

void
ViewBuilder::AddCoflowLoad(LoadByPort& load, const LiveJob& job, uint32_t iteration) const
{
    for (const auto& host : job.bytes)
    {
        const auto known = job.moved.find(host.host);
        const MovedBytes moved = known == job.moved.end() ? MovedBytes{} : known->second;
        const uint32_t port = 2 * host.host.value;
        const uint64_t toSend = CountLeft(host.sent, iteration, moved.sent);
        const uint64_t toReceive = CountLeft(host.received, iteration, moved.received);
        AddBytes(load, port, host.host, 1, toSend);
        AddBytes(load, port + 1, host.host, 1, toReceive);
    }
}

void
ViewBuilder::AddCoflows(const LiveCojob& cojob)
{
    for (const auto& job : cojob.jobs)
    {
        if (job.coflows.empty())
        {
            continue;
        }
        const LiveCoflow& coflow = job.coflows.front();
        LoadByPort load;
        AddCoflowLoad(load, job, coflow.iteration);
        UnitView unit;
        unit.cojob = cojob.id;
        unit.job = job.job;
        unit.weight = job.weight;
        unit.stage = cojob.stage;
        unit.stages = cojob.iterations.size();
        unit.iteration = coflow.iteration;
        unit.active = true;
        unit.release = coflow.arrival;
        unit.load = AsPortLoads(load);
        m_view.units.push_back(std::move(unit));
    }
}

} // namespace

SchedulerView
BuildSchedulerView(const ViewRequest& request,
                   const std::vector<DataRate>& rates,
                   const std::map<CojobId, LiveCojob>& cojobs)
{
    ViewBuilder builder(request, rates);
    for (const auto& [id, cojob] : cojobs)
    {
        NS_ABORT_MSG_IF(cojob.stage < 1 || cojob.stage > cojob.iterations.size(),
                        "cojob " << id << " is in no stage");
        switch (request.kind)
        {
        case UnitKind::STAGE:
            builder.AddStages(cojob);
            break;
        case UnitKind::JOB:
            builder.AddJobs(cojob);
            break;
        case UnitKind::COFLOW:
            builder.AddCoflows(cojob);
            break;
        }
    }
    return std::move(builder.m_view);
}

} // namespace ddl
} // namespace ns3
