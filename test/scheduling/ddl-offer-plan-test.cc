// SPDX-License-Identifier: GPL-2.0-only
// Plans, question by question, as tables: who waits, who has which GPUs, and what is to be done.
#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-list-search-algorithm.h"
#include "ns3/ddl-offer-plan.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** The number of a group is its priority. */
class ByNumberPolicy : public JobQueuePolicy
{
  public:
    std::string GetSummary() const override
    {
        return "by number";
    }

    bool LetsOthersPass() const override
    {
        return m_letsPass;
    }

    bool IsPreemptive() const override
    {
        return m_isPreemptive;
    }

    bool m_letsPass{true};
    bool m_isPreemptive{false};

  private:
    double DoGetPriority(const GroupView& group) override
    {
        return group.id.value;
    }
};

/** First fit that does what the test says otherwise. */
class ToldPlacementPolicy : public FirstFitPlacementPolicy
{
  public:
    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes = FirstFitPlacementPolicy::GetWishes();
        wishes.holdsParts = m_holds > 0;
        wishes.placesTogether = m_isTogether;
        wishes.takesBackLeases = true;
        return wishes;
    }

    uint32_t m_declines{0};    //!< number of a job that declines
    uint32_t m_holds{0};       //!< number of a job that keeps what is free
    bool m_isTogether{false};  //!< groups are asked together
    std::size_t m_renewals{0}; //!< most renewals of jobs of 2 GPUs in a server that it has seen

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override
    {
        if (view.job.id.value == m_declines)
        {
            return PlacementAnswer::WaitUntil(view.now + Seconds(7), "would rather not");
        }
        m_renewals = std::max(m_renewals, view.waits.GetRenewals(Tier::SERVER, 2).size());
        auto place = FindFirst(view);
        if (view.job.id.value == m_holds && !place)
        {
            std::vector<GpuId> free;
            for (const MachineView& machine : view.cluster.machines)
            {
                for (const GpuView& gpu : machine.gpus)
                {
                    gpu.free ? free.push_back(gpu.id) : void();
                }
            }
            return PlacementAnswer::Hold(free);
        }
        return place;
    }

    /** One group of one job after the other. */
    std::vector<GroupAnswer> DoPlaceTogether(const std::vector<GroupQuestion>& groups) override
    {
        ClusterView cluster = groups.front().front().cluster;
        std::vector<GroupAnswer> answers(groups.size());
        for (std::size_t i = 0; i < groups.size(); ++i)
        {
            const PlacementView& job = groups[i].front();
            const auto answer = DoPlace(
                {cluster, job.workers, job.servers, job.memory, job.job, job.now, job.waits});
            answers[i] = {std::nullopt, answer.askAgain, answer.why, answer.declines};
            if (answer.placement)
            {
                Occupy(cluster, *answer.placement, job.memory);
                answers[i].placements = {*answer.placement};
            }
        }
        return answers;
    }

    std::optional<Placement> FindFirst(const PlacementView& view)
    {
        std::vector<GpuId> gpus;
        for (const MachineView& machine : view.cluster.machines)
        {
            for (const GpuView& gpu : machine.gpus)
            {
                if (gpu.free && gpus.size() < view.workers)
                {
                    gpus.push_back(gpu.id);
                }
            }
        }
        return gpus.size() == view.workers ? std::make_optional(Placement{gpus, {}}) : std::nullopt;
    }

    std::optional<Placement> DoImprove(const PlacementView& view) override
    {
        return FindFirst(view); // the first GPUs that are free are the best ones
    }
};

/** A group of one job. */
struct Row
{
    uint32_t id;
    uint32_t gpus;
    std::string where; //!< "0.1 1.0": GPUs that it has, as machine.index; "": it waits
    std::string more;  //!< "given": with a placement; "lease": its lease is over; "suspending";
                       //!< "fixed": it may not be suspended
};

std::vector<GpuId>
ReadGpus(const std::string& text)
{
    std::vector<GpuId> gpus;
    std::istringstream words(text);
    uint32_t host = 0;
    char dot = 0;
    uint32_t index = 0;
    while (words >> host >> dot >> index)
    {
        gpus.push_back({{host}, index});
    }
    return gpus;
}

std::string
Write(const std::vector<GpuId>& gpus)
{
    std::ostringstream text;
    for (const GpuId& gpu : gpus)
    {
        text << " " << gpu.host << "." << gpu.index;
    }
    return text.str();
}

std::string
Write(const OfferPlan& plan)
{
    std::ostringstream text;
    for (const auto& hold : plan.hold)
    {
        text << "hold " << hold.job->GetId() << ":" << Write(hold.gpus) << "; ";
    }
    for (const auto& wait : plan.wait)
    {
        text << "wait " << wait.group->GetId() << (wait.answer.why.empty() ? "" : ": ")
             << wait.answer.why << "; ";
    }
    for (const auto& start : plan.start)
    {
        text << "start " << start.group->GetId() << ":"
             << Write(ListGpus(start.placements.front()));
        if (start.after)
        {
            text << " after " << *start.after;
        }
        text << "; ";
    }
    for (const auto& decline : plan.decline)
    {
        text << "decline " << decline.group->GetId() << " until "
             << decline.askAgain.value_or(Time()).GetSeconds() << "; ";
    }
    for (const auto& renewal : plan.renew)
    {
        text << "renew " << renewal.gpus << "; ";
    }
    for (const GroupRecord* const group : plan.suspend)
    {
        text << "suspend " << group->GetId() << "; ";
    }
    for (const auto& move : plan.move)
    {
        text << "move " << move.group->GetId() << ":" << Write(ListGpus(move.places.front().second))
             << "; ";
    }
    return text.str();
}

/** A cluster of machines with two GPUs each, and groups of one job. */
class OfferPlanTest : public testing::Test
{
  protected:
    ~OfferPlanTest() override
    {
        m_table = {};
        Simulator::Destroy();
    }

    void SetUpRows(uint32_t machines, const std::vector<Row>& rows, uint64_t memory = 0)
    {
        ClusterView view;
        for (uint32_t host = 0; host < machines; ++host)
        {
            MachineView machine;
            machine.host = {host};
            machine.gpus = {{{{host}, 0}, true, memory, memory},
                            {{{host}, 1}, true, memory, memory}};
            view.machines.push_back(machine);
        }
        m_book = ClusterBook(view);
        for (const Row& row : rows)
        {
            row.where.empty() || row.more == "given" ? Wait(row) : Run(row);
        }
    }

    GroupRecord& Add(const Row& row)
    {
        JobSpec job;
        job.id = {row.id};
        job.workers = row.gpus;
        job.model.forward = Seconds(1);
        job.model.gpuMemory = m_memory;
        job.preemptible = row.more != "fixed";
        if (row.more == "given")
        {
            job.placement = Placement{ReadGpus(row.where), {}};
        }
        CojobSpec spec;
        spec.id = {row.id};
        spec.plain = true;
        spec.iterations = {10};
        spec.jobs = {job};
        spec.search.SetTypeId(ListSearchAlgorithm::GetTypeId());
        GroupRecord& group = m_table.Add(spec);
        group.Enter(GroupState::WAITING);
        return group;
    }

    void Wait(const Row& row)
    {
        const GroupRecord& group = Add(row);
        const OfferState state = MakeState();
        const GroupDemand demand = MakeDemand(state, group);
        m_table.GetWaiting().Add(group.GetId(), row.id, CountWanted(state, demand), demand);
    }

    void Run(const Row& row)
    {
        GroupRecord& group = Add(row);
        JobRecord& job = group.GetJobs().front();
        group.Enter(GroupState::LAUNCHING);
        auto run = std::make_shared<RunSpec>(*job.spec, group.GetId());
        run->placement = {ReadGpus(row.where), {}};
        run->iterations = 10;
        group.NoteRunStart(job, run);
        m_book.Add(job);
        group.NoteLaunched(job);
        group.Enter(GroupState::RUNNING);
        if (row.more == "suspending")
        {
            group.NoteSuspension("suspended");
        }
        if (row.more == "lease")
        {
            group.offers.leaseOver = Time::Max();
        }
    }

    OfferState MakeState()
    {
        return {m_now,
                m_lease,
                m_minRun,
                m_queue,
                m_placement,
                m_table,
                m_book,
                m_waits,
                m_sharing,
                m_switching,
                1,
                std::nullopt};
    }

    Time m_now;
    Time m_lease;
    Time m_minRun;
    uint64_t m_memory{0};
    Ptr<ByNumberPolicy> m_queue{CreateObject<ByNumberPolicy>()};
    Ptr<ToldPlacementPolicy> m_placement{CreateObject<ToldPlacementPolicy>()};
    JobTable m_table;
    ClusterBook m_book;
    WaitHistory m_waits;
    SharingSpec m_sharing;
    SwitchSpec m_switching;
};

} // namespace

/** One question, asked of one state. */
struct PlanCase
{
    std::string name;
    std::function<void(ByNumberPolicy&, ToldPlacementPolicy&)> told;
    OfferPlan (*ask)(const OfferState&);
    std::vector<Row> rows;
    std::string plan;
    double lease{0};
};

void
PrintTo(const PlanCase& each, std::ostream* text)
{
    *text << each.name;
}

class OfferPlanTable : public OfferPlanTest, public testing::WithParamInterface<PlanCase>
{
};

TEST_P(OfferPlanTable, SaysWhatIsToBeDone)
{
    const PlanCase& each = GetParam();
    m_lease = Seconds(each.lease);
    each.told(*m_queue, *m_placement);
    SetUpRows(2, each.rows);
    const ClusterView before = m_book.GetView();
    const std::size_t renewals = m_waits.GetRenewals(Tier::SERVER, 2).size();
    EXPECT_EQ(Write(each.ask(MakeState())), each.plan);
    EXPECT_EQ(Write(each.ask(MakeState())), each.plan) << "asked again";
    for (std::size_t host = 0; host < before.machines.size(); ++host)
    {
        for (std::size_t gpu = 0; gpu < 2; ++gpu)
        {
            EXPECT_EQ(m_book.GetView().machines[host].gpus[gpu].free,
                      before.machines[host].gpus[gpu].free);
        }
    }
    EXPECT_EQ(m_book.GetView().jobs.size(), before.jobs.size());
    EXPECT_EQ(m_waits.GetRenewals(Tier::SERVER, 2).size(), renewals);
}

namespace
{

const auto NOTHING = [](ByNumberPolicy&, ToldPlacementPolicy&) {};
const auto PREEMPTS = [](ByNumberPolicy& queue, ToldPlacementPolicy&) {
    queue.m_isPreemptive = true;
};
const auto NOBODY_PASSES = [](ByNumberPolicy& queue, ToldPlacementPolicy&) {
    queue.m_letsPass = false;
};
const auto TOGETHER = [](ByNumberPolicy&, ToldPlacementPolicy& placement) {
    placement.m_isTogether = true;
};
const auto FIRST_DECLINES = [](ByNumberPolicy&, ToldPlacementPolicy& placement) {
    placement.m_declines = 1;
};
const auto FIRST_HOLDS = [](ByNumberPolicy&, ToldPlacementPolicy& placement) {
    placement.m_holds = 1;
};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Turns,
    OfferPlanTable,
    testing::Values(PlanCase{"nobody", NOTHING, PlanTurn, {}, ""},
                    PlanCase{"the first one, alone",
                             NOTHING,
                             PlanTurn,
                             {{2, 1, "", ""}, {1, 2, "", ""}},
                             "start 1: 0.0 0.1; "},
                    PlanCase{"one that is too large is passed",
                             NOTHING,
                             PlanTurn,
                             {{1, 3, "", ""}, {2, 1, "", ""}, {9, 2, "0.0 0.1", ""}},
                             "start 2: 1.0; "},
                    PlanCase{"and is not where nobody may pass",
                             NOBODY_PASSES,
                             PlanTurn,
                             {{1, 3, "", ""}, {2, 1, "", ""}, {9, 2, "0.0 0.1", ""}},
                             ""},
                    PlanCase{"one that declines is passed",
                             FIRST_DECLINES,
                             PlanTurn,
                             {{1, 1, "", ""}, {2, 2, "", ""}},
                             "wait 1: would rather not; start 2: 0.0 0.1; "},
                    PlanCase{"GPUs that are coming are kept for the first one",
                             NOTHING,
                             PlanTurn,
                             {{1, 4, "", ""}, {2, 1, "", ""}, {9, 2, "0.0 0.1", "suspending"}},
                             ""},
                    PlanCase{"one that keeps what is free leaves none",
                             FIRST_HOLDS,
                             PlanTurn,
                             {{1, 4, "", ""}, {2, 1, "", ""}, {9, 1, "0.0", ""}},
                             "hold 1: 0.1 1.0 1.1; wait 1; wait 2; "}));

INSTANTIATE_TEST_SUITE_P(
    Batches,
    OfferPlanTable,
    testing::Values(PlanCase{"all that fit",
                             TOGETHER,
                             PlanBatch,
                             {{1, 2, "", ""}, {2, 1, "", ""}, {3, 2, "", ""}},
                             "wait 3; start 1: 0.0 0.1; start 2: 1.0; "},
                    PlanCase{"given places come first",
                             TOGETHER,
                             PlanBatch,
                             {{1, 2, "", ""}, {2, 1, "0.0", "given"}},
                             "start 2: 0.0; start 1: 0.1 1.0; "},
                    PlanCase{"nobody behind one that waits, where nobody may pass",
                             [](ByNumberPolicy& queue, ToldPlacementPolicy& placement) {
                                 placement.m_isTogether = true;
                                 placement.m_declines = 2;
                                 queue.m_letsPass = false;
                             },
                             PlanBatch,
                             {{1, 1, "", ""}, {2, 1, "", ""}, {3, 1, "", ""}},
                             "wait 2: would rather not; start 1: 0.0; "}));

INSTANTIATE_TEST_SUITE_P(
    Preemption,
    OfferPlanTable,
    testing::Values(
        PlanCase{"nobody unless the policy preempts",
                 NOTHING,
                 PlanPreemption,
                 {{1, 4, "", ""}, {2, 2, "0.0 0.1", ""}},
                 ""},
        PlanCase{"who is behind gives way",
                 PREEMPTS,
                 PlanPreemption,
                 {{2, 2, "", ""}, {1, 2, "0.0 0.1", ""}, {3, 2, "1.0 1.1", ""}},
                 "suspend 3; "},
        PlanCase{"only as many as are needed",
                 PREEMPTS,
                 PlanPreemption,
                 {{1, 1, "", ""}, {2, 1, "0.0", ""}, {3, 1, "0.1", ""}, {4, 2, "1.0 1.1", ""}},
                 "suspend 4; "},
        PlanCase{"of two that are behind only the one whose GPU is taken",
                 PREEMPTS,
                 PlanPreemption,
                 {{1, 1, "0.0", "given"},
                  {2, 1, "", ""},
                  {3, 1, "0.0", "fixed"},
                  {4, 1, "0.1", ""},
                  {5, 1, "1.0", ""},
                  {6, 1, "1.1", ""}},
                 "suspend 5; "},
        PlanCase{"nobody who may not be suspended",
                 PREEMPTS,
                 PlanPreemption,
                 {{1, 2, "", ""}, {3, 2, "0.0 0.1", "fixed"}, {4, 2, "1.0 1.1", "fixed"}},
                 ""},
        PlanCase{"nobody for one that fits nowhere even then",
                 PREEMPTS,
                 PlanPreemption,
                 {{1, 4, "", ""}, {3, 2, "0.0 0.1", "fixed"}, {4, 2, "1.0 1.1", ""}},
                 ""},
        PlanCase{"nobody for one that declines; the next one competes",
                 [](ByNumberPolicy& queue, ToldPlacementPolicy& placement) {
                     queue.m_isPreemptive = true;
                     placement.m_declines = 1;
                 },
                 PlanPreemption,
                 {{1, 2, "", ""}, {2, 2, "", ""}, {3, 2, "0.0 0.1", ""}, {4, 2, "1.0 1.1", ""}},
                 "decline 1 until 7; suspend 4; "}));

INSTANTIATE_TEST_SUITE_P(
    Leases,
    OfferPlanTable,
    testing::Values(PlanCase{"a lease that goes on is none that is over",
                             NOTHING,
                             PlanLeases,
                             {{1, 2, "", ""}, {2, 2, "0.0 0.1", ""}, {3, 2, "1.0 1.1", ""}},
                             "",
                             10},
                    PlanCase{"over, and nobody waits: it is placed again where it is",
                             NOTHING,
                             PlanLeases,
                             {{2, 2, "0.0 0.1", "lease"}},
                             "renew 2; ",
                             10},
                    PlanCase{"over, and would be placed elsewhere",
                             NOTHING,
                             PlanLeases,
                             {{2, 2, "1.0 1.1", "lease"}},
                             "suspend 2; ",
                             10},
                    PlanCase{"over, and another one is before it",
                             NOTHING,
                             PlanLeases,
                             {{1, 2, "", ""}, {2, 2, "0.0 0.1", "lease"}, {3, 2, "1.0 1.1", ""}},
                             "suspend 2; ",
                             10},
                    PlanCase{"over, and is before the other one",
                             NOTHING,
                             PlanLeases,
                             {{4, 2, "", ""}, {2, 2, "0.0 0.1", "lease"}, {3, 2, "1.0 1.1", ""}},
                             "renew 2; ",
                             10}));

INSTANTIATE_TEST_SUITE_P(
    Moves,
    OfferPlanTable,
    testing::Values(
        PlanCase{"all are where they are best", NOTHING, PlanMoves, {{1, 2, "0.0 0.1", ""}}, ""},
        PlanCase{"one moves, and what it leaves is not free yet",
                 NOTHING,
                 PlanMoves,
                 {{1, 1, "0.1", ""}, {2, 1, "1.1", ""}},
                 "move 1: 0.0; move 2: 1.0; "},
        PlanCase{"not one that is being suspended, or may not be",
                 NOTHING,
                 PlanMoves,
                 {{1, 1, "0.1", "suspending"}, {2, 1, "1.1", "fixed"}},
                 ""}));

TEST_F(OfferPlanTest, SharesAGpuByTheRules)
{
    m_memory = 4;
    m_sharing.light = LightSharingSpec{0.5, 2.5};
    SetUpRows(1, {{1, 1, "0.0", ""}, {2, 1, "0.1", ""}, {3, 1, "", ""}}, 8);
    EXPECT_EQ(Write(PlanTurn(MakeState())), "start 3: 0.0; ");
    m_sharing.light->utilisation = 2; // two jobs without estimates use 2, no less
    EXPECT_EQ(Write(PlanTurn(MakeState())), "wait 3; ");
    m_sharing.light.reset();
    m_sharing.next = PreScheduleSpec{0.5, Seconds(2)}; // 10 iterations of 1 s each
    m_now = Seconds(7);
    const OfferPlan early = PlanTurn(MakeState());
    ASSERT_EQ(early.wait.size(), 1U);
    EXPECT_EQ(early.wait.front().answer.askAgain, Seconds(8));
    m_now = Seconds(8);
    EXPECT_EQ(Write(PlanTurn(MakeState())), "start 3: 0.0 after 1; ");
}

TEST_F(OfferPlanTest, NextChangeIsTheEndOfTheLeaseOrOfTheLeastRun)
{
    SetUpRows(1, {{1, 1, "0.0", ""}, {2, 1, "0.1", "fixed"}, {3, 1, "", ""}});
    const GroupRecord& runs = m_table.Get({1});
    EXPECT_EQ(FindNextChange(MakeState(), runs), std::nullopt);
    m_queue->m_isPreemptive = true;
    m_minRun = Seconds(3);
    EXPECT_EQ(FindNextChange(MakeState(), runs), Seconds(3));
    m_lease = Seconds(2); // a lease ends at a multiple, and no earlier than the least run
    EXPECT_EQ(FindNextChange(MakeState(), runs), Seconds(4));
    m_now = Seconds(4);
    EXPECT_EQ(FindNextChange(MakeState(), runs), Seconds(6));
    EXPECT_TRUE(IsLeaseOver(MakeState(), runs, Seconds(4)));
    EXPECT_FALSE(IsLeaseOver(MakeState(), runs, Seconds(3)));
    EXPECT_EQ(FindNextChange(MakeState(), m_table.Get({2})), std::nullopt);
    EXPECT_EQ(FindNextChange(MakeState(), m_table.Get({3})), std::nullopt);
}

TEST_F(OfferPlanTest, ExplainsWhyAGroupWaits)
{
    SetUpRows(1, {{1, 1, "0.0", ""}, {2, 2, "", ""}, {3, 1, "", ""}});
    OfferState state = MakeState();
    EXPECT_EQ(DescribeWait(state, m_table.Get({2})), "no GPUs (needs 2, 1 free)");
    EXPECT_EQ(DescribeWait(state, m_table.Get({3})), "behind another job");
    state.nextBatch = Seconds(5);
    EXPECT_EQ(DescribeWait(state, m_table.Get({3})), "no offer yet until 5 s");
    GroupRecord& asked = m_table.Get({3});
    asked.offers.offer = state.offer;
    EXPECT_EQ(DescribeWait(state, asked), "no place");
    asked.offers.answer.why = "would rather not";
    asked.offers.answer.askAgain = Seconds(7);
    EXPECT_EQ(DescribeWait(state, asked), "would rather not until 7 s");
}

TEST_F(OfferPlanTest, GpusThatAreKeptOnAFailedMachineAreNotFree)
{
    m_placement->m_holds = 1;
    SetUpRows(2, {{1, 4, "", ""}});
    JobRecord& job = m_table.GetJob({1});
    m_book.Hold(job, {{{0}, 1}, {{1}, 0}}, 0);
    m_book.NoteFailed({HostId{1}});
    EXPECT_EQ(Write(PlanTurn(MakeState())), "hold 1: 0.0 0.1; wait 1; ");
    EXPECT_TRUE(m_book.GetView().machines[0].gpus[0].free);
    EXPECT_FALSE(m_book.GetView().machines[0].gpus[1].free);
    EXPECT_FALSE(m_book.GetView().machines[1].gpus[0].free);
    EXPECT_FALSE(m_book.GetView().machines[1].gpus[1].free);
}

TEST_F(OfferPlanTest, InABatchTwoJobsShareAGpuAndAThirdOneDoesNot)
{
    m_memory = 2;
    m_placement->m_isTogether = true;
    m_sharing.light = LightSharingSpec{0.5, 2.5};
    SetUpRows(
        1,
        {{1, 1, "0.0", ""}, {2, 1, "0.1", "fixed"}, {3, 1, "", ""}, {4, 1, "", ""}, {5, 1, "", ""}},
        8);
    EXPECT_EQ(Write(PlanBatch(MakeState())), "wait 5; start 3: 0.0; start 4: 0.1; ");
    EXPECT_EQ(m_book.GetView().machines[0].gpus[0].freeMemory, 6U);
}

TEST_F(OfferPlanTest, RenewalsAreSeenByThoseThatAreAskedNext)
{
    m_lease = Seconds(10);
    SetUpRows(2, {{2, 2, "0.0 0.1", "lease"}, {3, 2, "1.0 1.1", "lease"}});
    EXPECT_EQ(Write(PlanLeases(MakeState())), "renew 2; renew 2; ");
    EXPECT_EQ(m_placement->m_renewals, 1U);
    EXPECT_TRUE(m_waits.GetRenewals(Tier::SERVER, 2).empty());
}
