// SPDX-License-Identifier: GPL-2.0-only
// Dally's rules in small clusters, with times that can be added up by hand: delay scheduling,
// its tuner, the order by network sensitivity, and leases that are taken back.
#include "ddl-offers-fixture.h"

#include "ns3/boolean.h"

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Two racks of two machines of two GPUs, machines 0 and 1, and 2 and 3; timers of 10 and 20 s. */
class DallyTest : public test::OffersFixture
{
  protected:
    void RunDally(const std::vector<CojobSpec>& jobs, bool isTuned = false, bool keepsPlace = false)
    {
        m_placement = CreatePolicy<PlacementPolicy>("dally");
        m_placement->SetAttribute("Tuned", BooleanValue(isTuned));
        m_placement->SetAttribute("KeepPlace", BooleanValue(keepsPlace));
        m_placement->SetAttribute("MachineTimer", TimeValue(Seconds(10)));
        m_placement->SetAttribute("RackTimer", TimeValue(Seconds(20)));
        m_racks = 2;
        BuildCluster(CreatePolicy<JobQueuePolicy>("nw-sens"), 4, 2);
        m_manager->Submit(jobs);
        RunAll();
    }

    /** \param counts whether renewed leases count as waits */
    void RunRenewal(bool counts)
    {
        m_lease = Seconds(10);
        m_placement = CreatePolicy<PlacementPolicy>("dally");
        m_placement->SetAttribute("RenewalWaits", BooleanValue(counts));
        m_placement->SetAttribute("MachineTimer", TimeValue(Seconds(10)));
        m_placement->SetAttribute("RackTimer", TimeValue(Seconds(20)));
        m_racks = 2;
        BuildCluster(CreatePolicy<JobQueuePolicy>("nw-sens"), 4, 2);
        m_manager->Submit({HoldAllBut({{0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 0}}),
                           MakeHolder(8, 7, {{1, 1}, {2, 0}, {3, 0}}),
                           MakeJob(1, Seconds(0), 80, 2),
                           MakeJob(2, Seconds(18.5), 5, 2)});
        RunAll();
    }

    /** \return jobs that hold all GPUs but these for 100 s */
    static CojobSpec HoldAllBut(const std::vector<std::pair<uint32_t, uint32_t>>& free)
    {
        std::vector<std::pair<uint32_t, uint32_t>> held;
        for (uint32_t host = 0; host < 4; ++host)
        {
            for (uint32_t index = 0; index < 2; ++index)
            {
                if (std::find(free.begin(), free.end(), std::make_pair(host, index)) == free.end())
                {
                    held.emplace_back(host, index);
                }
            }
        }
        CojobSpec holder = MakeHolder(9, 100, held);
        holder.jobs.front().preemptible = false;
        return holder;
    }
};

TEST_F(DallyTest, ARackAfterTheMachineTimer)
{
    RunDally({HoldAllBut({{0, 0}, {1, 0}}), MakeJob(1, Seconds(0), 5, 2)});
    EXPECT_EQ(GetRun(1).start, Seconds(10)); // nothing but the timer wakes it
    EXPECT_EQ(GetRun(1).placement.workers, (std::vector<GpuId>{{{0}, 0}, {{1}, 0}}));
    EXPECT_EQ(m_waits,
              (std::vector<std::string>{"0: job 1 no server has 2 GPUs with room until 10"}));
}

TEST_F(DallyTest, AnyAfterTheRackTimer)
{
    RunDally({HoldAllBut({{0, 0}, {2, 0}}), MakeJob(1, Seconds(0), 5, 2)});
    EXPECT_EQ(GetRun(1).start, Seconds(20));
}

TEST_F(DallyTest, AMachineAsSoonAsOneHasRoom)
{
    RunDally({HoldAllBut({{0, 0}, {1, 0}, {1, 1}}),
              MakeHolder(8, 7, {{1, 1}}),
              MakeJob(1, Seconds(0), 5, 2)});
    EXPECT_EQ(GetRun(1).start, Seconds(7));
    EXPECT_EQ(GetRun(1).placement.workers, (std::vector<GpuId>{{{1}, 0}, {{1}, 1}}));
}

TEST_F(DallyTest, WaitsAreRemembered)
{
    // Job 1 gets machine 1 at 7 s, and has it to the end. Job 2 comes at 7.5 s; machines 2 and 3
    // have a GPU each. Its machine timer is that one wait: 7 s, where nobody knew of it 10 s.
    RunDally({HoldAllBut({{0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 0}}),
              MakeHolder(8, 7, {{1, 1}, {2, 0}, {3, 0}}),
              MakeJob(1, Seconds(0), 80, 2),
              MakeJob(2, Seconds(7.5), 5, 2)},
             true);
    EXPECT_EQ(GetRun(1).start, Seconds(7));
    EXPECT_EQ(GetRun(2).start, Seconds(7.5 + 7));
    EXPECT_EQ(GetRun(2).placement.workers, (std::vector<GpuId>{{{2}, 0}, {{3}, 0}}));
}

TEST_F(DallyTest, ALeaseThatIsRenewedInPlaceIsNoWait)
{
    // As above; leases of 10 s. Job 1 goes on at 17 s, in its machine. When job 2 comes, at 18.5 s,
    // the only wait for a machine is that of job 1.
    RunRenewal(false);
    EXPECT_EQ(m_timers.at(1), "18.5: 2 GPUs 7 20");
}

TEST_F(DallyTest, ALeaseThatIsRenewedInPlaceMayCountAsAWaitOfZero)
{
    RunRenewal(true); // 7 s and 0: 3.5 + 2 x 4.9497
    EXPECT_EQ(m_timers.at(1), "18.5: 2 GPUs 13.3995 20");
}

TEST_F(DallyTest, ObserversSeeTheTimersOfEachOffer)
{
    // As above: offered at 0, job 1 finds no machine, and nobody has waited: 10 s and 20 s. At 7 s
    // it gets a machine, at once, so that no timer counts. Job 2 is offered GPUs when it comes, and
    // when its machine timer is over.
    RunDally({HoldAllBut({{0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 0}}),
              MakeHolder(8, 7, {{1, 1}, {2, 0}, {3, 0}}),
              MakeJob(1, Seconds(0), 80, 2),
              MakeJob(2, Seconds(7.5), 5, 2)},
             true);
    EXPECT_EQ(
        m_timers,
        (std::vector<std::string>{"0: 2 GPUs 10 20", "7.5: 2 GPUs 7 20", "14.5: 2 GPUs 7 20"}));
}

TEST_F(DallyTest, JobsThatFitNoMachineOrRackHaveTimersOfZero)
{
    RunDally({MakeHolder(8, 3, {{0, 0}, {2, 0}}),
              MakeHolder(9, 100, {{1, 1}, {3, 1}}),
              MakeJob(1, Seconds(0), 5, 5)});
    EXPECT_EQ(m_timers, (std::vector<std::string>{"3: 5 GPUs 0 0"}));
}

TEST_F(DallyTest, LargerThanAMachineARackAtOnce)
{
    RunDally({HoldAllBut({{0, 0}, {0, 1}, {1, 0}}), MakeJob(1, Seconds(0), 5, 3)});
    EXPECT_EQ(GetRun(1).start, Seconds(0));
}

TEST_F(DallyTest, LargerThanARackAnyAtOnce)
{
    RunDally({MakeHolder(8, 3, {{0, 0}, {2, 0}}),
              MakeHolder(9, 100, {{1, 1}, {3, 1}}),
              MakeJob(1, Seconds(0), 5, 5)});
    EXPECT_EQ(GetRun(1).start, Seconds(3)); // as soon as there are five
}

TEST_F(DallyTest, WhoDeclinesBlocksNobody)
{
    // Job 1 declines until 10 s; job 2, behind it, takes one of its GPUs for 30 s.
    RunDally(
        {HoldAllBut({{0, 0}, {1, 0}}), MakeJob(1, Seconds(0), 5, 2), MakeJob(2, Seconds(0), 30)});
    EXPECT_EQ(GetRun(2).start, Seconds(0));
    EXPECT_EQ(GetRun(1).start, Seconds(30));
}

TEST_F(DallyTest, EqualJobsTakeTurnsByLeases)
{
    // Two jobs of 2 h, one GPU, leases of 1 h, both as fast as they compute: A B A B, done after 3
    // and 4 h. The lease's end finds the next iteration begun, which is one of 1 s.
    m_lease = Hours(1);
    auto holder = MakeHolder(9, 20000, {{0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}});
    holder.jobs.front().preemptible = false;
    RunDally({holder, MakeJob(1, Seconds(0), 7200), MakeJob(2, Seconds(0), 7200)});
    std::string turns = GetTurns();
    turns.erase(std::remove(turns.begin(), turns.end(), '9'), turns.end());
    EXPECT_EQ(turns, "1212");
    EXPECT_EQ(m_done[1], 3 * 3600 + 1);
    EXPECT_EQ(m_done[2], 4 * 3600);
}

TEST_F(DallyTest, ALeaseOnAMachineGoesOn)
{
    m_lease = Seconds(10);
    RunDally({MakeJob(1, Seconds(0), 100, 2), MakeJob(2, Seconds(0.5), 100, 4)});
    EXPECT_EQ(m_ended.size(), 2U); // the larger one in a rack, as it fits no machine
}

TEST_F(DallyTest, ALeaseInARackIsGivenBackThoughNobodyWaits)
{
    // Starts at 10 s in the rack. Its lease is over at 40 s; it finishes the iteration that begins
    // just then, and waits for a machine for 10 s again, and so on.
    m_lease = Seconds(30);
    RunDally({HoldAllBut({{0, 0}, {1, 0}}), MakeJob(1, Seconds(0), 60, 2)});
    EXPECT_EQ(GetRun(1, 1).start, Seconds(10));
    EXPECT_EQ(GetRun(1, 1).end, Seconds(41));
    EXPECT_EQ(GetRun(1, 1).reason, "suspended");
    EXPECT_EQ(GetRun(1, 2).start, Seconds(51));
    EXPECT_EQ(m_done[1], 51 + 60 - 31);
}

TEST_F(DallyTest, ALeaseInARackGoesOnWhereJobsKeepTheirPlaces)
{
    m_lease = Seconds(30);
    RunDally({HoldAllBut({{0, 0}, {1, 0}}), MakeJob(1, Seconds(0), 60, 2)}, false, true);
    EXPECT_EQ(m_done[1], 10 + 60);
    EXPECT_EQ(m_ended.size(), 2U);
}

TEST_F(DallyTest, AJobInARackMovesToAMachineThatHasComeFree)
{
    // At the end of its lease machine 2 has room: it goes there at once, after its iteration.
    m_lease = Seconds(30);
    RunDally({HoldAllBut({{0, 0}, {1, 0}, {2, 0}, {2, 1}}),
              MakeHolder(8, 35, {{2, 0}, {2, 1}}),
              MakeJob(1, Seconds(0), 60, 2)});
    EXPECT_EQ(GetRun(1, 2).start, Seconds(41));
    EXPECT_EQ(GetRun(1, 2).placement.workers, (std::vector<GpuId>{{{2}, 0}, {{2}, 1}}));
}

TEST_F(DallyTest, OnlyWhoseLeaseIsOverGivesWay)
{
    // Job 1 has machine 0, job 2 machine 1 from 3 s on. Job 3 comes at 5 s and goes first, as it
    // has never run: at 10 s it gets machine 0, whose lease is over.
    m_lease = Seconds(10);
    RunDally({HoldAllBut({{0, 0}, {0, 1}, {1, 0}, {1, 1}}),
              MakeJob(1, Seconds(0), 30, 2),
              MakeJob(2, Seconds(3), 30, 2),
              MakeJob(3, Seconds(5), 4, 2)});
    EXPECT_EQ(GetRun(1, 1).end, Seconds(11));
    EXPECT_EQ(GetRun(3).start, Seconds(11));
    EXPECT_EQ(GetRun(3).placement.workers, (std::vector<GpuId>{{{0}, 0}, {{0}, 1}}));
    EXPECT_EQ(GetRun(2, 1).end, GetRun(2).end);
}

} // namespace
