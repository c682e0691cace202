// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-policy.h"

#include "ddl-placement-helpers.h"
#include "ddl-server-permutation.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"
#include "ns3/log.h"

#include <algorithm>
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

constexpr int64_t CANDIDATE_STREAM = 0x63616e64; //!< RNG stream that exchanges servers

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
    const bool namesServers = view.gpuServers > 0 && !placement.servers.empty();
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
        if ((id.index != NO_GPU) != namesServers)
        {
            text << "put a server on machine " << id.host
                 << (namesServers ? " without the GPU that it needs"
                                  : " on a GPU that it does not need");
            return text.str();
        }
        if (namesServers)
        {
            gpus.push_back(id);
        }
    }
    const std::string wrong = FindWrongGpu(view, gpus);
    if (!wrong.empty())
    {
        return wrong;
    }
    const uint32_t servers = namesServers ? view.gpuServers : view.servers;
    const uint32_t workers = view.workers - (namesServers ? servers : 0);
    if (placement.workers.size() != workers || placement.servers.size() != servers)
    {
        text << "gave " << placement.workers.size() << " GPUs to " << workers << " workers, and "
             << placement.servers.size() << " machines to " << servers << " servers";
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
            view.gpuServers};
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
PlacementPolicy::Refuse(const std::string& mistake) const
{
    throw RunError(GetInstanceTypeId().GetName() + " " + mistake);
}

/** Check an answer, and give the parameter servers their GPUs unless the policy has done so. */
void
PlacementPolicy::Settle(const PlacementView& view, Placement& placement) const
{
    const std::string mistake = FindMistake(view, placement);
    if (!mistake.empty())
    {
        Refuse(mistake);
    }
    if (view.gpuServers > 0 && placement.servers.empty())
    {
        placement = SplitInterleaved(placement.workers, view.gpuServers);
    }
}

void
PlacementPolicy::CheckHeld(const PlacementView& view, const std::vector<GpuId>& held) const
{
    std::string mistake = FindWrongGpu(view, held);
    if (!held.empty() && !GetWishes().holdsParts)
    {
        mistake = "lets a job hold GPUs while it waits, and does not say so (holdsParts)";
    }
    else if (held.size() >= view.workers)
    {
        mistake = "lets a job wait that holds all its GPUs";
    }
    if (!mistake.empty())
    {
        Refuse(mistake);
    }
}

void
PlacementPolicy::CheckDate(const std::optional<Time>& askAgain, Time now) const
{
    if (askAgain && *askAgain <= now)
    {
        std::ostringstream text;
        text << "wants to be asked again at " << FormatDuration(*askAgain)
             << ", which is not in the future: it is " << FormatDuration(now);
        Refuse(text.str());
    }
}

void
PlacementPolicy::SetScorer(Ptr<PlacementScorer> scorer, const TrafficForecast* forecast)
{
    m_scorer = scorer;
    m_forecast = forecast;
    m_draw = scorer ? CreateObject<UniformRandomVariable>() : nullptr;
    if (m_draw)
    {
        m_draw->SetStream(CANDIDATE_STREAM);
    }
}

/** \return different places for a job, the policy's own first */
std::vector<Placement>
PlacementPolicy::ListCandidates(const PlacementView& view, const Placement& own)
{
    std::vector<Placement> candidates{own};
    for (uint32_t i = 1; i < m_scorer->CountCandidates(); ++i)
    {
        const ServerPermutation permutation(view.cluster, m_draw);
        const ClusterView cluster = permutation.Permute(view.cluster);
        PlacementView permuted = WithCluster(view, cluster);
        permuted.job.placement = permutation.Permute(view.job.placement);
        const PlacementAnswer answer = DoPlace(permuted);
        if (answer.placement)
        {
            Placement candidate = permutation.Restore(*answer.placement);
            Settle(view, candidate);
            if (std::find(candidates.begin(), candidates.end(), candidate) == candidates.end())
            {
                candidates.push_back(std::move(candidate));
            }
        }
    }
    return candidates;
}

/** \return the place with the best score. \param own the policy's choice */
Placement
PlacementPolicy::FindBest(const PlacementView& view, const Placement& own)
{
    const auto candidates = ListCandidates(view, own);
    if (candidates.size() == 1)
    {
        return own;
    }
    const auto present = m_forecast->ListPresent();
    Placement best = own;
    std::optional<double> bestScore;
    for (const Placement& candidate : candidates)
    {
        const auto score = m_scorer->Score(present, m_forecast->Foresee(view.job.id, candidate));
        if (score && (!bestScore || *score > *bestScore))
        {
            best = candidate;
            bestScore = score;
        }
    }
    return best;
}

PlacementAnswer
PlacementPolicy::Place(const PlacementView& view)
{
    NS_LOG_FUNCTION(this << view.workers << view.servers);
    NS_ABORT_MSG_IF(view.workers == view.gpuServers, "a job without workers cannot be placed");
    const Stopwatch stopwatch(*this);
    PlacementAnswer answer = DoPlace(view);
    if (answer.placement)
    {
        Settle(view, *answer.placement);
        if (m_scorer && m_scorer->CountCandidates() > 1 && view.job.held.empty())
        {
            answer.placement = FindBest(view, *answer.placement);
        }
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
    if (answers.size() != groups.size())
    {
        Refuse("gave " + std::to_string(answers.size()) + " answers for " +
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
        std::vector<Placement>& placements = *answers[i].placements;
        if (placements.size() != groups[i].size())
        {
            Refuse("gave " + std::to_string(placements.size()) + " placements for " +
                   std::to_string(groups[i].size()) + " jobs");
        }
        for (std::size_t j = 0; j < placements.size(); ++j)
        {
            const PlacementView& job = groups[i][j];
            Settle(WithCluster(job, cluster), placements[j]);
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
    std::optional<Placement> better = DoImprove(view);
    if (better)
    {
        Settle(view, *better);
    }
    return better;
}

std::optional<Placement>
PlacementPolicy::DoImprove(const PlacementView& /* view */)
{
    return std::nullopt;
}

std::vector<GroupAnswer>
PlacementPolicy::DoPlaceTogether(const std::vector<GroupQuestion>& /* groups */)
{
    Refuse("wants to place groups together, and does not override DoPlaceTogether");
}

} // namespace ns3::ddl
