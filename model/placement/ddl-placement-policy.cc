// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-policy.h"

#include "ddl-place-all.h"
#include "ddl-placement-helpers.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"
#include "ns3/log.h"

#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlPlacementPolicy");
NS_OBJECT_ENSURE_REGISTERED(PlacementPolicy);

namespace
{

/** \return the first fault of GPUs that a job shall get; "" when there is none */
std::string
FindWrongGpu(const PlacementView& view, const std::vector<GpuId>& gpus)
{
    std::set<GpuId> taken;
    for (const GpuId& id : gpus)
    {
        const GpuView* gpu = FindGpu(view.cluster, id);
        const bool isFree = gpu != nullptr && HasRoom(*gpu, view.memory);
        if (!isFree || !taken.insert(id).second)
        {
            std::ostringstream text;
            text << "took GPU " << id.index << " of machine " << id.host
                 << (isFree ? " twice" : ", which is not free");
            return text.str();
        }
    }
    return "";
}

/** \return the first fault of an answer; "" when there is none */
std::string
FindMistake(const PlacementView& view, const Placement& placement)
{
    std::ostringstream text;
    std::vector<GpuId> gpus = placement.workers; // the GPUs that the ranks take
    for (const GpuId& id : placement.servers)
    {
        const MachineView* machine = FindMachine(view.cluster, id.host);
        if (machine == nullptr || machine->failed)
        {
            text << "put a server on machine " << id.host
                 << (machine == nullptr ? ", which does not exist" : ", which has failed");
            return text.str();
        }
        if ((id.index != NO_GPU) != (view.serverGpus > 0))
        {
            text << "put a server on machine " << id.host
                 << (view.serverGpus > 0 ? " without the GPU that it needs"
                                         : " on a GPU that it does not need");
            return text.str();
        }
        if (view.serverGpus > 0)
        {
            gpus.push_back(id);
        }
    }
    const std::string wrong = FindWrongGpu(view, gpus);
    if (!wrong.empty())
    {
        return wrong;
    }
    if (placement.workers.size() != view.workers || placement.servers.size() != view.servers)
    {
        text << "gave " << placement.workers.size() << " GPUs to " << view.workers
             << " workers, and " << placement.servers.size() << " machines to " << view.servers
             << " servers";
    }
    return text.str();
}

/** \return the same question about another state of the cluster */
PlacementView
WithCluster(const PlacementView& view, const ClusterView& cluster)
{
    return {cluster,
            view.workers,
            view.servers,
            view.memory,
            view.job,
            view.now,
            view.waits,
            view.serverGpus};
}

/** \return the question of a job whose parameter servers are workers */
PlacementView
AsWorkersOnly(const PlacementView& view)
{
    PlacementView all{view.cluster,
                      view.workers + view.servers,
                      0,
                      view.memory,
                      view.job,
                      view.now,
                      view.waits};
    all.job.placement = {ListInterleaved(view.job.placement), {}};
    return all;
}

} // namespace

TypeId
PlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::PlacementPolicy").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

PlacementAnswer
PlacementAnswer::WaitUntil(Time date, const std::string& why)
{
    PlacementAnswer answer = Decline(why);
    answer.askAgain = date;
    return answer;
}

PlacementAnswer
PlacementAnswer::Decline(const std::string& why)
{
    PlacementAnswer answer;
    answer.declines = true;
    answer.why = why;
    return answer;
}

PlacementAnswer
PlacementAnswer::Hold(std::vector<GpuId> gpus)
{
    PlacementAnswer answer;
    answer.held = std::move(gpus);
    return answer;
}

void
PlacementPolicy::Check(const PlacementView& view, const Placement& placement) const
{
    const std::string mistake = FindMistake(view, placement);
    if (!mistake.empty())
    {
        throw RunError(GetInstanceTypeId().GetName() + " " + mistake);
    }
}

void
PlacementPolicy::CheckHeld(const PlacementView& view, const std::vector<GpuId>& held) const
{
    std::string mistake = FindWrongGpu(view, held);
    if (!held.empty() && !HoldsPartial())
    {
        mistake = "lets a job hold GPUs while it waits, and does not say so (HoldsPartial)";
    }
    else if (held.size() >= view.workers + view.servers * view.serverGpus)
    {
        mistake = "lets a job wait that holds all its GPUs";
    }
    if (!mistake.empty())
    {
        throw RunError(GetInstanceTypeId().GetName() + " " + mistake);
    }
}

void
PlacementPolicy::CheckDate(const std::optional<Time>& askAgain, Time now) const
{
    if (askAgain && *askAgain <= now)
    {
        std::ostringstream text;
        text << GetInstanceTypeId().GetName() << " wants to be asked again at "
             << FormatDuration(*askAgain) << ", which is not in the future: it is "
             << FormatDuration(now);
        throw RunError(text.str());
    }
}

bool
PlacementPolicy::IsAskedForWorkersOnly(const PlacementView& view) const
{
    return view.servers > 0 && view.serverGpus > 0 && !PlacesServersOnGpus();
}

/** \return the policy's answer, not checked */
PlacementAnswer
PlacementPolicy::AnswerForAllRanks(const PlacementView& view)
{
    if (!IsAskedForWorkersOnly(view))
    {
        return DoAnswer(view);
    }
    const PlacementView all = AsWorkersOnly(view);
    PlacementAnswer answer = DoAnswer(all);
    if (answer.placement)
    {
        Check(all, *answer.placement);
        answer.placement = SplitInterleaved(answer.placement->workers, view.servers);
    }
    return answer;
}

PlacementAnswer
PlacementPolicy::Ask(const PlacementView& view)
{
    NS_LOG_FUNCTION(this << view.workers << view.servers);
    NS_ABORT_MSG_IF(view.workers == 0, "a job without workers cannot be placed");
    const Stopwatch stopwatch(*this);
    PlacementAnswer answer = AnswerForAllRanks(view);
    if (answer.placement)
    {
        Check(view, *answer.placement);
    }
    else
    {
        CheckDate(answer.askAgain, view.now);
        CheckHeld(view, answer.held);
        answer.declines = answer.declines || answer.askAgain;
    }
    NS_LOG_LOGIC((answer.placement ? "placed" : "must wait"));
    return answer;
}

std::optional<Placement>
PlacementPolicy::Place(const PlacementView& view)
{
    return Ask(view).placement;
}

std::vector<GroupAnswer>
PlacementPolicy::PlaceTogether(const std::vector<GroupQuestion>& groups)
{
    NS_LOG_FUNCTION(this << groups.size());
    if (groups.empty())
    {
        return {};
    }
    const Stopwatch stopwatch(*this);
    std::vector<GroupAnswer> answers = DoPlaceTogether(groups);
    const std::string name = GetInstanceTypeId().GetName();
    if (answers.size() != groups.size())
    {
        throw RunError(name + " gave " + std::to_string(answers.size()) + " answers for " +
                       std::to_string(groups.size()) + " groups");
    }
    ClusterView cluster = groups.front().front().cluster; // without what earlier groups have taken
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        if (!answers[i].placements)
        {
            CheckDate(answers[i].askAgain, groups[i].front().now);
            answers[i].declines = answers[i].declines || answers[i].askAgain;
            continue;
        }
        const std::vector<Placement>& placements = *answers[i].placements;
        if (placements.size() != groups[i].size())
        {
            throw RunError(name + " gave " + std::to_string(placements.size()) +
                           " placements for " + std::to_string(groups[i].size()) + " jobs");
        }
        for (std::size_t j = 0; j < placements.size(); ++j)
        {
            const PlacementView& job = groups[i][j];
            Check(WithCluster(job, cluster), placements[j]);
            Occupy(cluster, placements[j], job.memory);
        }
    }
    return answers;
}

std::optional<Placement>
PlacementPolicy::Improve(const PlacementView& view)
{
    NS_LOG_FUNCTION(this << view.job.id);
    const Stopwatch stopwatch(*this);
    std::optional<Placement> better;
    if (IsAskedForWorkersOnly(view))
    {
        const PlacementView all = AsWorkersOnly(view);
        const auto found = DoImprove(all);
        if (found)
        {
            Check(all, *found);
            better = SplitInterleaved(found->workers, view.servers);
        }
    }
    else
    {
        better = DoImprove(view);
    }
    if (better)
    {
        Check(view, *better);
    }
    return better;
}

std::optional<Placement>
PlacementPolicy::DoPlace(const PlacementView& /* view */)
{
    throw RunError(GetInstanceTypeId().GetName() +
                   " answers nothing: it overrides neither DoPlace nor DoAnswer");
}

std::optional<Placement>
PlacementPolicy::DoImprove(const PlacementView& /* view */)
{
    return std::nullopt;
}

std::vector<GroupAnswer>
PlacementPolicy::DoPlaceTogether(const std::vector<GroupQuestion>& groups)
{
    ClusterView cluster = groups.front().front().cluster;
    std::vector<GroupAnswer> answers(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        ScratchView scratch(cluster); // changes are undone unless all jobs have a place
        std::vector<Placement> placements;
        for (const PlacementView& job : groups[i])
        {
            const PlacementView view = WithCluster(job, cluster);
            const PlacementAnswer answer = AnswerForAllRanks(view);
            if (!answer.placement)
            {
                answers[i] = {std::nullopt, answer.askAgain, answer.why, answer.declines, {}};
                break;
            }
            Check(view, *answer.placement);
            placements.push_back(*answer.placement);
            scratch.Occupy(job.job.id, placements.back(), job.memory);
        }
        if (placements.size() == groups[i].size())
        {
            answers[i].placements = std::move(placements);
            scratch.Keep();
        }
    }
    return answers;
}

} // namespace ns3::ddl
