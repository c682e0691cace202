// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-build-scheduler-view.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::ddl
{

void
AddPortLoads(const std::vector<HostBytes>& bytes,
             double times,
             const std::vector<DataRate>& rates,
             LoadByPort& loads)
{
    const auto add = [&](uint32_t port, HostId host, uint64_t each) {
        if (times > 0 && each > 0)
        {
            loads[port] += GetNicSeconds(times * static_cast<double>(each), rates[host.value]);
        }
    };
    for (const auto& moved : bytes)
    {
        NS_ABORT_MSG_IF(moved.host.value >= rates.size(),
                        "machine " << moved.host << " has no known rate");
        add(2 * moved.host.value, moved.host, moved.sent);
        add(2 * moved.host.value + 1, moved.host, moved.received);
    }
}

std::vector<PortLoad>
ListPortLoads(const LoadByPort& loads)
{
    std::vector<PortLoad> list;
    for (const auto& [port, seconds] : loads)
    {
        list.push_back({port, seconds});
    }
    return list;
}

namespace
{

/** \return what is left of an iteration's bytes when `moved` have been moved in this run, of which
 * it is the n-th iteration, from 1 */
uint64_t
CountLeft(uint64_t bytes, uint64_t n, uint64_t moved)
{
    const uint64_t before = bytes * (n - 1);
    return moved <= before ? bytes : bytes - std::min(bytes, moved - before);
}

/** \return what is left of an iteration's bytes, as far as machines have reported */
std::vector<HostBytes>
ListBytesLeft(const LiveJob& job, uint64_t iteration)
{
    std::vector<HostBytes> left;
    const uint64_t n = iteration - job.iterationsBefore;
    for (const auto& host : job.bytes)
    {
        const auto known = job.moved.find(host.host);
        const MovedBytes moved = known == job.moved.end() ? MovedBytes{} : known->second;
        left.push_back({host.host,
                        CountLeft(host.sent, n, moved.sent),
                        CountLeft(host.received, n, moved.received)});
    }
    return left;
}

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

    void AddStages(const LiveCojob& cojob)
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
                    AddPortLoads(job.bytes, CountIterationsLeft(cojob, job, stage), m_rates, load);
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
            unit.load = ListPortLoads(load);
            predecessor = static_cast<int32_t>(m_view.units.size());
            m_view.units.push_back(std::move(unit));
        }
    }

    void AddJobs(const LiveCojob& cojob)
    {
        for (const auto& job : cojob.jobs)
        {
            uint64_t iterations = 0;
            for (uint32_t stage = cojob.stage; stage <= cojob.iterations.size(); ++stage)
            {
                iterations +=
                    RunsStage(cojob, job, stage) ? CountIterationsLeft(cojob, job, stage) : 0;
            }
            LoadByPort load;
            AddPortLoads(job.bytes, iterations, m_rates, load);
            AddJobUnit(cojob, job, cojob.arrival, 0, load);
        }
    }

    void AddCoflows(const LiveCojob& cojob)
    {
        for (const auto& job : cojob.jobs)
        {
            if (!job.coflows.empty())
            {
                const LiveCoflow& coflow = job.coflows.front();
                LoadByPort load;
                AddPortLoads(ListBytesLeft(job, coflow.iteration), 1, m_rates, load);
                AddJobUnit(cojob, job, coflow.arrival, coflow.iteration, load);
            }
        }
    }

    SchedulerView m_view;

  private:
    /** \return true if the job takes part in that stage, as far as the policy may know */
    bool RunsStage(const LiveCojob& cojob, const LiveJob& job, uint32_t stage) const
    {
        const uint32_t last = m_request.clairvoyant ? job.lastStage : cojob.iterations.size();
        return stage >= cojob.stage && stage <= last;
    }

    uint64_t CountIterationsLeft(const LiveCojob& cojob, const LiveJob& job, uint32_t stage) const
    {
        const uint64_t all = cojob.iterations.at(stage - 1);
        const uint64_t done = stage == cojob.stage ? job.iterationsDone : 0;
        return all - std::min(all, done);
    }

    void AddJobUnit(const LiveCojob& cojob,
                    const LiveJob& job,
                    Time release,
                    uint64_t iteration,
                    const LoadByPort& load)
    {
        UnitView unit;
        unit.cojob = cojob.id;
        unit.job = job.job;
        unit.weight = job.weight;
        unit.stage = cojob.stage;
        unit.stages = cojob.iterations.size();
        unit.iteration = iteration;
        unit.active = true;
        unit.release = release;
        unit.load = ListPortLoads(load);
        m_view.units.push_back(std::move(unit));
    }

    const ViewRequest& m_request;
    const std::vector<DataRate>& m_rates;
};

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

} // namespace ns3::ddl
