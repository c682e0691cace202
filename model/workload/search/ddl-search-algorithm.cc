// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-search-algorithm.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlSearchAlgorithm");
NS_OBJECT_ENSURE_REGISTERED(SearchAlgorithm);

namespace
{

/** \return sum of the iterations of the stages up to \p stage */
double
CountIterations(const CojobSpec& cojob, uint32_t stage)
{
    return std::accumulate(cojob.iterations.begin(), cojob.iterations.begin() + stage, 0.0);
}

/** \return accuracy of a job after a stage; beyond the end of a list, its last value */
double
AccuracyAfter(const CojobSpec& cojob, const JobSpec& job, uint32_t stage)
{
    if (job.accuracy.empty())
    {
        const auto iterations = CountIterations(cojob, stage);
        return job.curve ? GetAccuracy(*job.curve, iterations).value_or(0) : 0;
    }
    return job.accuracy[std::min<std::size_t>(stage, job.accuracy.size()) - 1];
}

/** \return the view of a cojob after a stage, with the jobs that have run it, by id */
SearchView
MakeView(const CojobSpec& cojob, const std::vector<uint32_t>& last, uint32_t stage)
{
    SearchView view;
    view.stage = stage;
    view.stages = cojob.iterations.size();
    for (std::size_t i = 0; i < cojob.jobs.size(); ++i)
    {
        const JobSpec& job = cojob.jobs[i];
        if (last[i] >= stage)
        {
            view.jobs.push_back({job.id, AccuracyAfter(cojob, job, stage), job.stopAfter});
        }
    }
    std::sort(view.jobs.begin(), view.jobs.end(), [](const auto& a, const auto& b) {
        return a.id < b.id;
    });
    return view;
}

} // namespace

TypeId
SearchAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::SearchAlgorithm").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::vector<JobId>
SearchAlgorithm::SelectStops(const SearchView& view) const
{
    std::vector<JobId> stops = DoSelectStops(view);
    std::sort(stops.begin(), stops.end());
    NS_LOG_LOGIC("after stage " << view.stage << " of " << view.stages << ": " << stops.size()
                                << " of " << view.jobs.size() << " jobs stop");
    const std::string stopped = GetInstanceTypeId().GetName() + " stopped job ";
    const auto twice = std::adjacent_find(stops.begin(), stops.end());
    if (twice != stops.end())
    {
        throw RunError(stopped + std::to_string(twice->value) + " twice");
    }
    for (const JobId stop : stops)
    {
        const bool live = std::any_of(view.jobs.begin(), view.jobs.end(), [stop](const auto& job) {
            return job.id == stop;
        });
        if (!live)
        {
            throw RunError(stopped + std::to_string(stop.value) + ", which is not live");
        }
    }
    return stops;
}

std::vector<uint32_t>
PlanLastStages(const CojobSpec& cojob)
{
    const uint32_t stages = cojob.iterations.size();
    std::vector<uint32_t> last(cojob.jobs.size(), stages);
    const Ptr<SearchAlgorithm> search = cojob.search.Create<SearchAlgorithm>();
    NS_ABORT_MSG_IF(!search, "the search of cojob " << cojob.id << " is not a SearchAlgorithm");
    for (uint32_t stage = 1; stage < stages; ++stage)
    {
        const SearchView view = MakeView(cojob, last, stage);
        if (view.jobs.empty())
        {
            break;
        }
        const std::vector<JobId> stops = search->SelectStops(view);
        for (std::size_t i = 0; i < cojob.jobs.size(); ++i)
        {
            if (std::binary_search(stops.begin(), stops.end(), cojob.jobs[i].id))
            {
                last[i] = stage;
            }
        }
    }
    return last;
}

} // namespace ns3::ddl
