// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-manager.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster-clock.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-training-job.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlJobManager");
NS_OBJECT_ENSURE_REGISTERED(JobManager);

TypeId
JobManager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::JobManager")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddConstructor<JobManager>()
            .AddAttribute("Lease",
                          "Time for which a group gets GPUs; then it competes for them again, "
                          "under any job queue policy; 0: until it is done or preempted",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JobManager::m_lease),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRun",
                          "Time for which a group that has got GPUs is not preempted",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JobManager::m_minRun),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "BatchWindow",
                "Time for which offers of GPUs are collected, to be made together; 0: each is "
                "made at once",
                TimeValue(Time(0)),
                MakeTimeAccessor(&JobManager::m_batchWindow),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Improve",
                          "Time after which the placement policy is asked again whether running "
                          "groups should move; 0: never",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&JobManager::m_improve),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Wait",
                            "A cojob waits for GPUs, or goes on waiting for another reason",
                            MakeTraceSourceAccessor(&JobManager::m_wait),
                            "ns3::ddl::JobManager::WaitCallback")
            .AddTraceSource("Timers",
                            "A job was offered GPUs: until when it declines some, as the placement "
                            "policy says",
                            MakeTraceSourceAccessor(&JobManager::m_timers),
                            "ns3::ddl::JobManager::TimersCallback")
            .AddTraceSource("CojobArrival",
                            "A cojob has arrived and waits for GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_cojobArrival),
                            "ns3::ddl::JobManager::CojobArrivalCallback")
            .AddTraceSource("CojobStart",
                            "A cojob gets GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_cojobStart),
                            "ns3::ddl::JobManager::CojobCallback")
            .AddTraceSource("Grant",
                            "A job gets GPUs, for the first time or again: the run that begins",
                            MakeTraceSourceAccessor(&JobManager::m_grant),
                            "ns3::ddl::JobManager::GrantCallback")
            .AddTraceSource("StageRelease",
                            "Jobs of a cojob may begin a stage: cojob, decision",
                            MakeTraceSourceAccessor(&JobManager::m_stageRelease),
                            "ns3::ddl::JobManager::StageCallback")
            .AddTraceSource("Revocation",
                            "Jobs are told to give back their GPUs",
                            MakeTraceSourceAccessor(&JobManager::m_revocation),
                            "ns3::ddl::JobManager::RevocationCallback")
            .AddTraceSource("Estimate",
                            "A job leaves: what was expected of it, and what it has used",
                            MakeTraceSourceAccessor(&JobManager::m_estimate),
                            "ns3::ddl::JobManager::EstimateCallback")
            .AddTraceSource("Return",
                            "The coordinator has heard that a run of a job is over",
                            MakeTraceSourceAccessor(&JobManager::m_return),
                            "ns3::ddl::JobManager::JobCallback")
            .AddTraceSource("AllDone",
                            "The coordinator has heard that the last job stopped",
                            MakeTraceSourceAccessor(&JobManager::m_allDone),
                            "ns3::ddl::JobManager::AllDoneCallback");
    return tid;
}

JobManager::JobManager() = default;
JobManager::~JobManager() = default;

void
JobManager::DoDispose()
{
    for (const EventId& timer : {m_timer, m_batchTimer, m_improveTimer})
    {
        ClusterClock::Cancel(timer);
    }
    m_rounds.Stop();
    m_changes.clear();
    m_wakes.clear();
    m_estimates = {};
    m_table = {};
    m_book = {};
    m_leases = {};
    m_fit = {};
    m_source.reset();
    m_parts = {};
    Object::DoDispose();
}

void
JobManager::Install(const JobManagerParts& parts)
{
    m_parts = parts;
    const PlacementWishes wishes = parts.placement->GetWishes();
    if (wishes.holdsParts && wishes.placesTogether)
    {
        throw InputError(parts.placement->GetInstanceTypeId().GetName() +
                         " places jobs together, so none may hold some of its GPUs while it waits "
                         "(its wishes holdsParts and placesTogether exclude each other)");
    }
    if (wishes.holdsParts && (!m_lease.IsZero() || parts.queue->IsPreemptive()))
    {
        throw InputError(parts.placement->GetInstanceTypeId().GetName() +
                         " lets jobs hold some of their GPUs while they wait: nobody may give way "
                         "(scheduler.lease 0s, a policy of scheduler.jobs that preempts nobody)");
    }
    const ClusterView cluster = m_parts.cluster->GetView();
    m_book = ClusterBook(cluster);
    InstallLeases();
    m_fit = FitCheck(cluster, m_parts.trial ? m_parts.trial : m_parts.placement);
    const DataRate rate = m_parts.cluster->GetRate(m_parts.cluster->GetHosts().front());
    m_estimates = {m_parts.estimator, m_parts.oracle, rate, FindGpuMemory(cluster)};
    if (m_parts.scorer)
    {
        m_traffic = RunTraffic(m_table, m_parts.cluster, m_parts.links, m_plans);
        m_parts.placement->SetScorer(m_parts.scorer, &m_traffic);
    }
    m_table.SetOracle(m_parts.oracle);
    m_parts.coordinator->Serve(m_table, *this);
    m_rounds.Install(m_table, m_parts.rounds, m_parts.coordinator, m_parts.cluster);
}

/** Use leases if the job queue policy is one of leases.
 *
 * \throws InputError when it cannot be used, or not with these attributes */
void
JobManager::InstallLeases()
{
    const auto policy = DynamicCast<LeasingJobQueuePolicy>(m_parts.queue);
    if (!policy)
    {
        return;
    }
    const std::string name = policy->GetName();
    if (!policy->GetObstacle().empty())
    {
        throw InputError(name + " " + policy->GetObstacle());
    }
    if (!m_lease.IsZero() || !m_minRun.IsZero() || !m_batchWindow.IsZero() || !m_improve.IsZero())
    {
        throw InputError(name + " has leases of its own: scheduler.lease, minRun, batchWindow and "
                                "improve have to be 0s");
    }
    if (m_parts.sharing.IsAny() || m_book.IsShared())
    {
        throw InputError(name + " gives whole GPUs to one job after another: no "
                                "cluster.hosts.gpuMemory, and no scheduler.share or preSchedule");
    }
    m_leases.Install(policy, m_book.GetView());
}

void
JobManager::Submit(const std::vector<CojobSpec>& cojobs)
{
    auto complaints = CheckWorkload(cojobs, m_fit, &m_table);
    for (const auto& cojob : cojobs)
    {
        const auto more = CheckJobs(cojob);
        complaints.insert(complaints.end(), more.begin(), more.end());
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    for (const auto& spec : cojobs)
    {
        Take(spec);
    }
}

void
JobManager::Take(const CojobSpec& spec)
{
    m_table.Add(spec);
    m_lastArrival = std::max(m_lastArrival, spec.submit);
    m_arrivals.insert(spec.submit);
    ClusterClock::Schedule(spec.submit - ClusterClock::Now(),
                           &JobManager::Arrive,
                           Ptr<JobManager>(this), // which may be disposed of meanwhile
                           spec.id);
}

/** \return what the kinds of the group's jobs refuse, and what the round scheduler cannot do. Jobs
 * that use rounds share no GPUs with others. */
std::vector<Diagnostic>
JobManager::CheckJobs(const CojobSpec& group)
{
    const bool useRounds = ddl::UsesRounds(group);
    if (useRounds && !m_parts.rounds)
    {
        return {{"", "", "jobs of tasks need a round scheduler (JobManagerParts::rounds)"}};
    }
    RunSetting setting;
    setting.coflows = m_parts.coordinator->OrdersCoflows();
    setting.checkpoints = m_parts.switching.checkpointEvery > 0 || m_parts.switching.storage;
    setting.suspensions = m_parts.queue->IsPreemptive() || !m_lease.IsZero() || !m_improve.IsZero();
    setting.gates = m_parts.coordinator->GetGateKeeper().IsAsked();
    std::vector<Diagnostic> complaints = CheckKinds(group, setting);
    if (useRounds)
    {
        const auto more = m_rounds.Check(group);
        complaints.insert(complaints.end(), more.begin(), more.end());
    }
    if (m_leases.IsUsed() && !useRounds)
    {
        const auto more = m_leases.Check(group);
        complaints.insert(complaints.end(), more.begin(), more.end());
    }
    if (m_useRounds.value_or(useRounds) != useRounds)
    {
        complaints.push_back({"", "", "some jobs are made of tasks and others are not"});
    }
    m_useRounds = useRounds;
    return complaints;
}

void
JobManager::Expect(const std::vector<JobSpec>& jobs)
{
    m_rounds.Expect(jobs);
}

/** \return where the parameter servers of its jobs are: each where there are fewest */
std::vector<Placement>
JobManager::PlaceTaskServers(const CojobSpec& group)
{
    std::vector<Placement> placements;
    std::map<HostId, uint32_t> added;
    const auto& machines = m_book.GetView().machines;
    for (const JobSpec& job : group.jobs)
    {
        const auto fewest =
            std::min_element(machines.begin(), machines.end(), [&](const auto& a, const auto& b) {
                return a.servers + added[a.host] < b.servers + added[b.host];
            });
        ++added[fewest->host];
        placements.push_back(job.placement.value_or(Placement{{}, {{fewest->host, NO_GPU}}}));
    }
    return placements;
}

void
JobManager::SetSource(std::unique_ptr<CojobSource> source)
{
    m_source = std::move(source);
    TakeNext();
}

void
JobManager::TakeNext()
{
    m_taken.reset();
    const auto next = m_source->Next();
    if (next)
    {
        m_taken = next->id;
        Submit({*next});
    }
}

void
JobManager::LaunchSuccessor(GroupRecord& run, const StageDecision& decision)
{
    const std::size_t live = run.GetCojob().GetLiveJobs().size();
    const bool isDown = live <= 1 && live + decision.stop.size() > 1;
    const bool wasAlone = live == 0 && run.GetSpec().jobs.size() == 1;
    if (!m_source || !(isDown || wasAlone))
    {
        return;
    }
    auto next = m_source->NextAfter(run.GetSpec(), ClusterClock::Now());
    if (next)
    {
        next->submit = ClusterClock::Now();
        Submit({*next});
    }
}

void
JobManager::Arrive(CojobId id)
{
    NS_LOG_FUNCTION(this << id);
    if (m_table.Find(id) == nullptr)
    {
        return; // disposed of
    }
    if (m_taken == id)
    {
        TakeNext();
    }
    GroupRecord& group = m_table.Get(id);
    m_arrivals.erase(m_arrivals.find(group.GetSpec().submit));
    group.Enter(GroupState::WAITING);
    if (group.UsesRounds())
    {
        m_cojobArrival(group.GetSpec());
        Start(group, PlaceTaskServers(group.GetSpec())); // its tasks wait for GPUs, not the job
        return;
    }
    m_estimates.Estimate(group);
    Enqueue(group);
    m_cojobArrival(group.GetSpec());
    Offer();
}

OfferState
JobManager::MakeState()
{
    return {ClusterClock::Now(),
            m_lease,
            m_minRun,
            m_parts.queue,
            m_parts.placement,
            m_table,
            m_book,
            m_history,
            m_parts.sharing,
            m_parts.switching,
            m_offers,
            GetNextBatch()};
}

/** \return the date of the next joint offer; none: none is due */
std::optional<Time>
JobManager::GetNextBatch() const
{
    return m_batchTimer.IsExpired() ? std::nullopt
                                    : std::make_optional(ClusterClock::GetTime(m_batchTimer));
}

/** The group waits for GPUs. */
void
JobManager::Enqueue(GroupRecord& group)
{
    const OfferState state = MakeState();
    const GroupDemand demand = MakeDemand(state, group);
    m_table.GetWaiting().Add(group.GetId(),
                             m_parts.queue->GetPriority(group.AsView()),
                             CountWanted(state, demand),
                             demand);
    NoteChange(group);
}

/** GPUs may have become free, or a group has begun to wait: plan, now or at the end of the batch
 * window. */
void
JobManager::Offer()
{
    HeedChanges();
    HeedWakes();
    if (m_leases.IsUsed())
    {
        OfferLeases();
        return;
    }
    if (m_batchWindow.IsZero())
    {
        MakeOffer();
        return;
    }
    const auto& holders = m_table.GetHolders();
    const bool isLeaseOver = TakesBackLeases(MakeState()) &&
                             std::any_of(holders.begin(), holders.end(), [](const auto* group) {
                                 return group->offers.leaseOver.has_value();
                             });
    if ((HasWaiting() || isLeaseOver) && m_batchTimer.IsExpired())
    {
        m_batchTimer = ClusterClock::Schedule(m_batchWindow, &JobManager::MakeOffer, this);
    }
    SetTimer();
}

/** Apply the priorities that have changed by now, and end the leases that are over. */
void
JobManager::HeedChanges()
{
    const OfferState state = MakeState();
    // A lease that ends while no group waits goes on until the next multiple of Lease.
    const bool isOffered = m_batchWindow.IsZero() || HasWaiting() || TakesBackLeases(state);
    while (!m_changes.empty() && m_changes.begin()->first <= state.now)
    {
        const auto [at, id] = *m_changes.begin();
        m_changes.erase(m_changes.begin());
        GroupRecord* const group = m_table.Find(id);
        if (group && m_table.GetWaiting().Contains(id))
        {
            m_table.GetWaiting().SetPriority(id, m_parts.queue->GetPriority(group->AsView()));
            NoteChange(*group);
        }
        else if (group && group->HasGpus() && group->HasStaying())
        {
            if (isOffered && IsLeaseOver(state, *group, at))
            {
                group->offers.leaseOver = Time::Max();
            }
            NoteChange(*group);
        }
    }
}

/** Forget the dates that have come at which groups were to be asked again. */
void
JobManager::HeedWakes()
{
    while (!m_wakes.empty() && m_wakes.begin()->first <= ClusterClock::Now())
    {
        GroupRecord& group = m_table.Get(m_wakes.begin()->second);
        SetWake(group, std::nullopt);
        if (!IsIdle() || m_book.HasFailed())
        {
            continue;
        }
        if (std::exchange(group.offers.idleStarts, m_starts) != m_starts)
        {
            group.offers.idleAsks = 0;
        }
        if (++group.offers.idleAsks > MOST_ASKS)
        {
            throw RunError(m_parts.placement->GetInstanceTypeId().GetName() + " would let group " +
                           std::to_string(group.GetId().value) +
                           " wait for ever: nobody runs, and it has wanted to be asked again " +
                           std::to_string(MOST_ASKS) + " times");
        }
    }
}

/**
 * Start groups that fit, suspend those that are preempted or whose leases are over, and note which
 * leases have been renewed.
 */
void
JobManager::MakeOffer()
{
    HeedChanges();
    ++m_offers;
    const OfferState state = MakeState();
    VisitLeasesOver([&state](auto& over) { over = *over < state.now ? std::nullopt : over; });
    if (HasWaiting())
    {
        UpdateLoads();
        m_parts.placement->GetWishes().placesTogether ? Execute(PlanBatch(state))
                                                      : TakeTurns(state);
    }
    Execute(TakesBackLeases(state) ? PlanLeases(state) : PlanPreemption(state));
    VisitLeasesOver([&state](auto& over) { over = state.now; }); // they compete again at this date
    TraceWaits();
    SetTimer();
}

/** Make the offers of a leasing policy at the end of this instant, when all who come now are here.
 */
void
JobManager::OfferLeases()
{
    if (!std::exchange(m_isLeaseOfferDue, true))
    {
        m_parts.coordinator->AtEndOfInstant([this]() {
            m_isLeaseOfferDue = false;
            MakeLeaseOffer();
        });
    }
}

/** Groups without a lease give back their GPUs, and those with one start where these are free. */
void
JobManager::MakeLeaseOffer()
{
    if (!m_leases.IsUsed())
    {
        return; // disposed of
    }
    ++m_offers;
    const OfferState state = MakeState();
    Execute(m_leases.Decide(state));
    UpdateLoads();
    m_leases.OfferGpus(state, [this](const OfferPlan& plan) { Execute(plan); });
    TraceWaits();
    SetTimer();
}

/** Call `visit` with OfferNotes::leaseOver of each group with GPUs whose lease is over. */
void
JobManager::VisitLeasesOver(const std::function<void(std::optional<Time>&)>& visit)
{
    if (m_lease.IsZero())
    {
        return; // without going through all who have GPUs
    }
    for (GroupRecord* const group : m_table.GetHolders())
    {
        if (group->offers.leaseOver)
        {
            visit(group->offers.leaseOver);
        }
    }
}

/** Waiting groups start, one after another. */
void
JobManager::TakeTurns(const OfferState& state)
{
    OfferPlan plan;
    do
    {
        plan = PlanTurn(state);
        Execute(plan);
    } while (!plan.start.empty());
}

/** Show the placement policy what jobs have done, if it looks. */
void
JobManager::UpdateLoads()
{
    if (!m_parts.placement->GetWishes().ignoresLoads)
    {
        m_book.UpdateLoads(m_table);
    }
}

/** Move groups that would be placed better elsewhere. */
void
JobManager::Improve()
{
    UpdateLoads();
    Execute(PlanMoves(MakeState()));
    SetImproveTimer();
}

void
JobManager::Execute(const OfferPlan& plan)
{
    const Time now = ClusterClock::Now();
    for (const auto& [gpus, timers] : plan.timers)
    {
        m_timers({now, gpus, timers});
    }
    for (const OfferPlan::Hold& hold : plan.hold)
    {
        m_book.Hold(*hold.job, hold.gpus, hold.memory);
    }
    for (const OfferPlan::Wait& wait : plan.wait)
    {
        wait.group->offers.offer = m_offers;
        wait.group->offers.answer = wait.answer;
        SetWake(*wait.group, wait.answer.askAgain);
    }
    for (const OfferPlan::Start& start : plan.start)
    {
        StartWaiting(start);
    }
    for (const OfferPlan::Decline& decline : plan.decline)
    {
        const Time known = decline.group->offers.askAgain.value_or(Time::Max());
        const Time next = std::min(decline.askAgain.value_or(Time::Max()), known);
        SetWake(*decline.group, next == Time::Max() ? std::nullopt : std::make_optional(next));
    }
    for (const OfferPlan::Renewal& renewal : plan.renew)
    {
        m_history.AddRenewal(renewal.tier, renewal.gpus, now);
    }
    for (GroupRecord* const group : plan.suspend)
    {
        Suspend(*group, "suspended");
    }
    for (const OfferPlan::Move& move : plan.move)
    {
        StartMove(move);
    }
}

/** A group that waits gets its GPUs. */
void
JobManager::StartWaiting(const OfferPlan::Start& start)
{
    GroupRecord& group = *start.group;
    m_table.GetWaiting().Remove(group.GetId());
    if (m_leases.IsUsed())
    {
        m_leases.NoteStart(group.GetId(), ClusterClock::Now());
    }
    const PastWait wait{ClusterClock::Now(), group.AsView().lasted};
    for (const Placement& placement : start.placements)
    {
        const std::vector<GpuId> gpus = ListGpus(placement);
        m_history.Add(FindTier(m_book.GetView(), gpus), gpus.size(), wait);
    }
    group.offers.offer = 0;
    group.offers.told.reset();
    SetWake(group, std::nullopt);
    Start(group, start.placements, start.after);
}

/** A group is suspended to go on elsewhere, where its GPUs are kept for it. */
void
JobManager::StartMove(const OfferPlan::Move& move)
{
    for (const auto& [job, place] : move.places)
    {
        job->moveTo = place;
        m_book.Reserve(*job);
    }
    Suspend(*move.group, "migrated");
}

/** A group that has given back its GPUs to move goes on. */
void
JobManager::GoOnElsewhere(GroupRecord& group)
{
    std::vector<Placement> placements;
    for (const JobRecord& job : group.GetJobs())
    {
        if (job.IsStaying())
        {
            placements.push_back(job.moveTo.value());
        }
    }
    EndMove(group);
    Start(group, placements);
}

/** Nothing is reserved for the group any more; no effect if nothing was. */
void
JobManager::EndMove(GroupRecord& group)
{
    for (JobRecord& job : group.GetJobs())
    {
        m_book.LetGo(job.reserved);
        job.moveTo.reset();
    }
}

/** Ask for the priority of a group that has GPUs, and remember when a group's priority changes, or
 * its lease is over. */
void
JobManager::NoteChange(GroupRecord& group)
{
    const OfferState state = MakeState();
    if (group.HasGpus())
    {
        m_table.SetPriority(group, FindPriority(state, group));
    }
    if (const auto at = FindNextChange(state, group))
    {
        m_changes.emplace(*at, group.GetId());
    }
}

/** \param at date at which the waiting group is to be asked again; none: when something changes */
void
JobManager::SetWake(GroupRecord& group, std::optional<Time> at)
{
    if (group.offers.askAgain)
    {
        m_wakes.erase({*group.offers.askAgain, group.GetId()});
    }
    group.offers.askAgain = at;
    if (at)
    {
        m_wakes.emplace(*at, group.GetId());
    }
}

/** Fire the trace source for each group whose reason to wait has changed. */
void
JobManager::TraceWaits()
{
    if (m_wait.IsEmpty())
    {
        return;
    }
    const OfferState state = MakeState();
    m_table.GetWaiting().Visit(std::numeric_limits<uint32_t>::max(), [&](CojobId id, double) {
        GroupRecord& group = m_table.Get(id);
        const WaitRecord record = ExplainWait(state, group);
        const auto reason = std::make_pair(record.reason, record.until);
        if (group.offers.told != reason)
        {
            group.offers.told = reason;
            m_wait(record);
        }
        return true;
    });
}

/** Offer again when a lease or a minimum time to run is over, a priority changes, or a placement
 * policy wants it. */
void
JobManager::SetTimer()
{
    ClusterClock::Cancel(m_timer);
    Time next = Time::Max();
    if (!m_changes.empty() && (HasWaiting() || TakesBackLeases(MakeState())))
    {
        next = m_changes.begin()->first;
    }
    if (!m_wakes.empty())
    {
        next = std::min(next, m_wakes.begin()->first);
    }
    if (m_leases.IsUsed())
    {
        next = std::min(next, m_leases.GetNext(MakeState()));
    }
    if (next < Time::Max())
    {
        m_timer = ClusterClock::Schedule(next - ClusterClock::Now(), &JobManager::Offer, this);
    }
}

/** While groups run, ask at each multiple of Improve whether they shall move. */
void
JobManager::SetImproveTimer()
{
    if (!m_improve.IsZero() && m_improveTimer.IsExpired() && !m_table.GetHolders().empty())
    {
        const Time left = m_improve - ClusterClock::Now() % m_improve;
        m_improveTimer = ClusterClock::Schedule(left, &JobManager::Improve, this);
    }
}

/** \return whether nobody has GPUs */
bool
JobManager::IsIdle() const
{
    return m_table.GetHolders().empty() && m_table.GetSuspending().empty();
}

void
JobManager::Start(GroupRecord& group,
                  const std::vector<Placement>& placements,
                  std::optional<JobId> after)
{
    NS_LOG_FUNCTION(this << group.GetId());
    const JobRecord* const first = after ? m_table.FindJob(*after) : nullptr;
    group.behind = first && first->IsStaying() ? after : std::nullopt;
    const bool isFirst = group.GetSuspensions() == 0;
    group.Enter(GroupState::LAUNCHING);
    if (!group.UsesRounds())
    {
        ++m_starts;
        SetImproveTimer();
    }
    if (isFirst)
    {
        m_cojobStart(group.GetId());
    }
    const auto specs = group.ListLiveSpecs();
    for (std::size_t i = 0; i < specs.size(); ++i)
    {
        Launch(m_table.GetJob(specs[i].id), specs[i], placements[i]);
    }
    if (!group.UsesRounds())
    {
        NoteChange(group); // now that it is known what its jobs have before them
    }
}

/** \param spec of the job, with what was estimated */
void
JobManager::Launch(JobRecord& job, const JobSpec& spec, const Placement& placement)
{
    const Ptr<const TrainingJob> kind = TrainingJob::Of(spec.kind);
    RunSpec run = kind->MakeRun(spec, job.group->GetId(), placement, *m_parts.cluster, m_plans);
    const auto gpus = ListGpus(placement).size();
    const bool usesNetwork = GetBusiestBytes(run.hostBytes) > 0;
    run.number = job.run ? job.run->number + 1 : 1;
    run.first = job.heard;
    run.iterations = CountIterations(job.group->GetSpec());
    run.isGated = usesNetwork && m_parts.coordinator->GetGateKeeper().IsAsked();
    run.reportsIterations = usesNetwork && m_parts.coordinator->OrdersCoflows();
    const SwitchSpec& switching = m_parts.switching;
    const SwitchCost& cost = switching.Get(spec.model.name);
    run.launch = cost.GetLaunch(gpus);
    run.save = cost.GetSave(gpus);
    run.finish = cost.finish;
    run.checkpointEvery = switching.checkpointEvery;
    const double state =
        switching.storage ? switching.storage->ratio * static_cast<double>(spec.model.bytes) : 0;
    if (state >= 1)
    {
        run.SetStorage({switching.storage->host, static_cast<uint64_t>(state)});
    }
    const auto shared = std::make_shared<const RunSpec>(std::move(run));
    job.group->NoteRunStart(job, shared);
    m_book.Add(job);
    m_grant(shared);
    m_parts.coordinator->LaunchRun(job);
}

void
JobManager::HandleLaunched(JobId id)
{
    JobRecord& job = m_table.GetJob(id);
    GroupRecord& group = *job.group;
    if (!group.NoteLaunched(job))
    {
        return;
    }
    if (group.behind)
    {
        group.isLoaded = true;
        return;
    }
    Begin(group);
}

/** The job has trained, or must give back its GPU: the job that has loaded behind it now trains. */
void
JobManager::BeginNext(JobId job)
{
    const JobTable::Groups& holders = m_table.GetHolders();
    const auto next = !m_parts.sharing.next
                          ? holders.end()
                          : std::find_if(holders.begin(), holders.end(), [job](const auto* group) {
                                return group->behind == job;
                            });
    if (next == holders.end())
    {
        return;
    }
    GroupRecord& group = **next;
    group.behind.reset();
    if (std::exchange(group.isLoaded, false))
    {
        Begin(group);
    }
}

/** The jobs of the group have been launched: they run their stage. */
void
JobManager::Begin(GroupRecord& group)
{
    group.Enter(GroupState::RUNNING);
    m_parts.coordinator->AddGroup(group);
    if (group.GetStage() == 0)
    {
        BeginStage(group, group.GetCojob().Begin());
        for (JobRecord& job : group.GetJobs())
        {
            group.UsesRounds() ? m_rounds.Begin(job) : void();
        }
    }
    else if (group.nextStage)
    {
        BeginStage(group, *std::exchange(group.nextStage, std::nullopt));
    }
    else
    {
        m_parts.coordinator->StartStage(group);
    }
    if (m_parts.queue->IsPreemptive() || m_parts.sharing.next)
    {
        Offer(); // it may give way now, or let another load
    }
}

void
JobManager::BeginStage(GroupRecord& run, const StageDecision& decision)
{
    run.BeginStage(decision);
    m_stageRelease(run.GetSpec().id, decision);
    m_parts.coordinator->StartStage(run);
}

void
JobManager::HandleStageDone(JobId id, uint32_t stage)
{
    NS_LOG_FUNCTION(this << id << stage);
    JobRecord& job = m_table.GetJob(id);
    GroupRecord& group = *job.group;
    group.NoteStageDone(job);
    const auto decision = group.GetCojob().FinishStage(id);
    if (!decision)
    {
        return;
    }
    LaunchSuccessor(group, *decision);
    StopForGood(group, decision->stop);
    if (!decision->go.empty() && group.GetState() == GroupState::SUSPENDING)
    {
        group.nextStage = decision;
    }
    else if (!decision->go.empty())
    {
        BeginStage(group, *decision);
    }
}

void
JobManager::StopForGood(GroupRecord& group, const std::vector<JobId>& jobs)
{
    LearnFrom(group, jobs);
    m_revocation({jobs, ""});
    std::vector<JobId> running;
    for (const JobId job : jobs)
    {
        JobRecord& record = m_table.GetJob(job);
        if (record.live)
        {
            running.push_back(job);
        }
        group.NoteLeaving(record);
    }
    if (!running.empty())
    {
        m_parts.coordinator->StopJobs(running, true);
    }
    for (const JobId job : jobs)
    {
        BeginNext(job);
    }
}

/** The estimator learns what jobs that leave have used; others that wait may get other estimates.
 */
void
JobManager::LearnFrom(const GroupRecord& group, const std::vector<JobId>& jobs)
{
    const JobEstimates::Lesson lesson = m_estimates.Learn(group, jobs);
    for (const EstimateRecord& record : lesson.records)
    {
        m_estimate(record);
    }
    if (!lesson.isNew)
    {
        return; // without going through all who wait
    }
    for (auto& [id, waiting] : m_table.GetGroups())
    {
        if (waiting.GetState() != GroupState::WAITING)
        {
            continue;
        }
        m_estimates.Estimate(waiting);
        if (m_table.GetWaiting().Contains(id))
        {
            const OfferState state = MakeState();
            const GroupDemand demand = MakeDemand(state, waiting);
            m_table.GetWaiting().SetDemand(id, CountWanted(state, demand), demand);
        }
    }
}

bool
JobManager::IsRunning(CojobId id) const
{
    const GroupRecord* const group = m_table.Find(id);
    return group && group->GetState() == GroupState::RUNNING;
}

/** A group that runs loses its GPUs. */
void
JobManager::TakeBack(GroupRecord& group, const std::string& reason)
{
    NS_LOG_FUNCTION(this << group.GetId() << reason);
    NS_ABORT_MSG_IF(group.GetState() != GroupState::RUNNING,
                    "group " << group.GetId() << " does not run");
    NS_ABORT_MSG_IF(group.UsesRounds(), "group " << group.GetId() << " holds no GPUs to take");
    group.NoteSuspension(reason);
    m_revocation({group.ListStaying(), reason});
    group.offers.leaseOver.reset();
}

void
JobManager::Suspend(CojobId id)
{
    Suspend(m_table.Get(id), "suspended");
}

void
JobManager::Suspend(GroupRecord& group, const std::string& reason)
{
    TakeBack(group, reason);
    m_parts.coordinator->PauseJobs(group.ListStaying());
}

void
JobManager::Kill(CojobId id)
{
    GroupRecord& group = m_table.Get(id);
    TakeBack(group, "killed");
    m_parts.coordinator->StopJobs(group.ListStaying());
}

void
JobManager::HandlePaused(JobId id, uint64_t iterations)
{
    NS_LOG_FUNCTION(this << id << iterations);
    JobRecord& job = m_table.GetJob(id);
    job.heard = iterations;
    job.saved = iterations;
    m_parts.coordinator->StopJobs({id});
}

void
JobManager::HandleSaved(JobId id, uint32_t run, uint64_t iterations)
{
    NS_LOG_FUNCTION(this << id << run << iterations);
    JobRecord* const job = m_table.FindJob(id);
    if (job && job->HoldsGpus() && job->run->number == run) // else that run has ended meanwhile
    {
        job->saved = iterations;
    }
}

void
JobManager::HandleStopped(JobId id, std::optional<uint64_t> iterations, const WorkerNoise& noise)
{
    NS_LOG_FUNCTION(this << id);
    m_return(id);
    JobRecord& job = m_table.GetJob(id);
    GroupRecord& group = *job.group;
    const bool isLost = job.isLost;
    const uint64_t done = isLost ? job.saved : iterations.value_or(job.saved);
    if (job.IsStaying() && group.HasFinishedStage(job, done))
    {
        HandleStageDone(id, group.GetStage()); // it was killed before its leader could say so
    }
    job.heard = done;
    group.NoteRunEnd(job, noise);
    if (!isLost) // else who has loaded behind it is lost with it
    {
        BeginNext(id); // unless that was done when it had trained
    }
    group.behind.reset();
    group.isLoaded = false;
    m_book.Remove(job);
    if (group.IsGone())
    {
        EndMove(group);
        m_leases.Forget(group.GetId());
        m_table.Remove(group.GetId()); // a long workload must not pile up
    }
    else if (group.GetState() == GroupState::SUSPENDING && !group.HasRuns())
    {
        group.Enter(GroupState::WAITING);
        m_leases.NoteEnd(group.GetId(), ClusterClock::Now());
        m_estimates.Estimate(group);
        group.IsMoving() ? GoOnElsewhere(group) : Enqueue(group);
    }
    Offer();
    if (IsDone())
    {
        m_allDone();
    }
}

/** What runs there is lost, and goes on elsewhere from where it was last saved. */
void
JobManager::HandleFailed(const std::set<HostId>& machines)
{
    if (UsesRounds())
    {
        throw RunError("a server fails while jobs of tasks run, which cannot go on without it");
    }
    m_book.NoteFailed(machines);
    for (GroupRecord* const group : m_table.GetSuspending())
    {
        if (group->MovesTo(machines))
        {
            EndMove(*group);
        }
    }
    for (auto& [id, group] : m_table.GetGroups())
    {
        const std::vector<JobId> there = group.ListStayingOn(machines);
        if (!there.empty())
        {
            EndRuns(group, there);
        }
    }
}

/** The whole group loses its GPUs; if it is SUSPENDING already, only its jobs on failed machines.
 */
void
JobManager::EndRuns(GroupRecord& group, const std::vector<JobId>& there)
{
    std::vector<JobId> others;
    const bool isLaunching = group.GetState() == GroupState::LAUNCHING;
    m_leases.NoteFailure(group.GetId());
    if (group.GetState() != GroupState::SUSPENDING)
    {
        const std::vector<JobId> all = group.ListStaying();
        std::set_difference(all.begin(),
                            all.end(),
                            there.begin(),
                            there.end(),
                            std::back_inserter(others));
        group.NoteSuspension("failed");
        group.offers.leaseOver.reset();
        m_revocation({others, "failed"});
    }
    m_revocation({there, "failed"});
    std::vector<JobId> toStop;
    for (const std::vector<JobId>* jobs : {&there, &std::as_const(others)})
    {
        for (const JobId job : *jobs)
        {
            JobRecord& record = m_table.GetJob(job);
            record.isLost = true;
            if (isLaunching || record.live) // else its machines were told to stop
            {
                toStop.push_back(job);
            }
        }
    }
    m_parts.coordinator->StopJobs(toStop);
}

void
JobManager::HandleReturned(HostId machine)
{
    m_book.NoteReturned(machine);
}

void
JobManager::HandleSettled()
{
    Offer();
}

void
JobManager::HandleTaskEnded(JobId job, GpuId gpu, uint64_t round)
{
    m_rounds.NoteTaskEnded(job, gpu, round);
}

void
JobManager::HandleRoundEnded(JobId job, uint64_t rounds)
{
    m_rounds.NoteRoundEnded(job, rounds);
}

Time
JobManager::GetNextChange() const
{
    Time next = m_arrivals.empty() ? Time::Max() : *m_arrivals.begin();
    for (const EventId& timer : {m_timer, m_batchTimer, m_improveTimer})
    {
        next = timer.IsExpired() ? next : std::min(next, ClusterClock::GetTime(timer));
    }
    return next;
}

std::optional<Time>
JobManager::GetIdleUntil() const
{
    if (!IsIdle() || !HasWaiting())
    {
        return std::nullopt;
    }
    const auto asked = m_wakes.empty() ? std::nullopt : std::make_optional(m_wakes.begin()->first);
    return std::max(asked, GetNextBatch()); // none is before any date
}

std::vector<UnfinishedJob>
JobManager::GetUnfinished()
{
    std::vector<UnfinishedJob> unfinished;
    for (const auto& [id, group] : m_table.GetGroups())
    {
        const bool isWaiting = m_table.GetWaiting().Contains(id);
        const std::string wait = isWaiting ? ": " + DescribeWait(MakeState(), group) : "";
        for (UnfinishedJob& job : group.ListUnfinished())
        {
            job.state += wait;
            unfinished.push_back(job);
        }
    }
    return unfinished;
}

} // namespace ns3::ddl
