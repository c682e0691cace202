// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-leasing-job-queue-policy.h"
#include "ddl-max-min-share.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr int64_t TURNS_STREAM = 0x676176656c; // number of this policy's own RNG stream

} // namespace

/**
 * `gavel`: max-min fair shares of time on GPUs of unlike types, in rounds (Narayanan et al., OSDI
 * 2020).
 *
 * A linear program (§4.1, SolveMaxMinShares) gives each group a share of time X on each type, so
 * that the least throughput, normalised by that of an equal share, is greatest. In each round (§5)
 * pairs of group and type take GPUs by priority X / f, greatest first, where f is the part of the
 * time given on that type since the shares were computed that the group has got. As in the authors'
 * program, half a round counts as given to each group at the start, groups with X = 0 take what is
 * left, and shares are computed again at most every ResetAfter. Of equal priorities the greater
 * debt is first, then the greater share, then the lower number. The debt is the time on that type
 * that past shares have promised to the group (X times the time for which they held), less what it
 * had got when the present shares were computed. Agnostic is the baseline of that program: it fills
 * the types one after another, in an order that is drawn in each round.
 *
 * Our reading: groups that arrived since then take what is left, too (in the program they wait).
 * Throughput is that of computing alone. All jobs of a cojob count as one job.
 */
class GavelJobQueuePolicy : public LeasingJobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::GavelJobQueuePolicy")
                .SetParent<LeasingJobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<GavelJobQueuePolicy>()
                .AddAttribute("Round",
                              "length of a round; scaled by m x i",
                              TimeValue(Minutes(6)),
                              MakeTimeAccessor(&GavelJobQueuePolicy::m_round),
                              MakeTimeChecker(TimeStep(1)))
                .AddAttribute("ResetAfter",
                              "least time between two computations of shares; 0: at each round "
                              "since which jobs have come or gone; scaled by m x i (the default is "
                              "that of Gavel's "
                              "program)",
                              TimeValue(Seconds(1920)),
                              MakeTimeAccessor(&GavelJobQueuePolicy::m_resetAfter),
                              MakeTimeChecker(Time(0)))
                .AddAttribute(
                    "Agnostic",
                    "all types count as equally fast, and are filled one after another, in "
                    "an order that is drawn in each round, as by Gavel's baseline",
                    BooleanValue(false),
                    MakeBooleanAccessor(&GavelJobQueuePolicy::m_isAgnostic),
                    MakeBooleanChecker());
        return tid;
    }

    GavelJobQueuePolicy()
        : m_draw(CreateObject<UniformRandomVariable>())
    {
        m_draw->SetStream(TURNS_STREAM);
    }

    std::string GetSummary() const override
    {
        return "max-min fair shares of time on each type of GPU, in rounds (Gavel)";
    }

    Time GetLease() const override
    {
        return m_round;
    }

    bool HasRounds() const override
    {
        return true;
    }

    std::string GetObstacle() const override
    {
        return HasShareSolver() ? ""
                                : "needs lp_solve, without which ddl was built (on Debian: "
                                  "apt-get install liblpsolve55-dev, then build again)";
    }

  private:
    /** What a group has of a pool since the shares were computed. */
    struct Share
    {
        double time{0}; //!< share of its time, X
        Time base;      //!< time that it had got when the shares were computed
        Time debt;      //!< time that shares before them had promised, less base
    };

    /** A group may get GPUs of a pool. */
    struct Entry
    {
        uint32_t turn; //!< the least one is first
        double priority;
        Time debt;
        double share;
        std::size_t group;
        uint32_t pool;
    };

    std::vector<LeaseGrant> DoGrant(const LeaseQuestion& question) override
    {
        if (IsResetDue(question))
        {
            ComputeShares(question);
        }

        LeaseRoom room(question);
        std::vector<Entry> entries = ListEntries(question, room);
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::tie(a.turn, b.priority, b.debt, b.share, a.group, a.pool) <
                   std::tie(b.turn, a.priority, a.debt, a.share, b.group, b.pool);
        });
        for (const Entry& entry : entries)
        {
            if (!room.HasGrant(entry.group) && room.Fits(entry.group, entry.pool))
            {
                room.Take(entry.group, entry.pool);
            }
        }
        return room.GetGrants();
    }

    /** \return pairs of a group without a grant and a pool that has room for it */
    std::vector<Entry> ListEntries(const LeaseQuestion& question, const LeaseRoom& room)
    {
        const std::vector<uint32_t> turns = DrawTurns(question.pools.size());
        std::vector<Entry> entries;
        for (uint32_t pool = 0; pool < question.pools.size(); ++pool)
        {
            const double given = SumGot(question, pool);
            for (std::size_t i = 0; i < question.groups.size(); ++i)
            {
                if (room.HasGrant(i) || !room.Fits(i, pool))
                {
                    continue;
                }
                const LeaseCandidate& each = question.groups[i];
                const Share share = GetShare(each, pool);
                const double priority = share.time * given / GetGot(each, pool);
                entries.push_back({turns[pool], priority, share.debt, share.time, i, pool});
            }
        }
        return entries;
    }

    /** \return the turn of each pool: 0 for all, or with Agnostic an order drawn by lot */
    std::vector<uint32_t> DrawTurns(std::size_t pools)
    {
        std::vector<uint32_t> turns(pools);
        if (m_isAgnostic)
        {
            std::iota(turns.begin(), turns.end(), 0);
            for (std::size_t left = pools; left > 1; --left)
            {
                std::swap(turns[left - 1], turns[m_draw->GetInteger(0, left - 1)]);
            }
        }
        return turns;
    }

    bool IsResetDue(const LeaseQuestion& question) const
    {
        const auto isKnown = [this](const LeaseCandidate& each) {
            return m_shares.count(each.group.id) > 0;
        };
        const std::size_t known =
            std::count_if(question.groups.begin(), question.groups.end(), isKnown);
        const bool hasChanged = known != m_shares.size() || known != question.groups.size() ||
                                GetGpus(question) != m_gpus;
        return hasChanged && (known == 0 || question.now - m_computed >= m_resetAfter);
    }

    static std::vector<uint32_t> GetGpus(const LeaseQuestion& question)
    {
        std::vector<uint32_t> gpus;
        for (const GpuPool& pool : question.pools)
        {
            gpus.push_back(pool.gpus);
        }
        return gpus;
    }

    void ComputeShares(const LeaseQuestion& question)
    {
        m_gpus = GetGpus(question);
        std::map<CojobId, std::vector<Share>> shares;
        std::vector<CojobId> ids;
        std::vector<ShareDemand> demands;
        for (const LeaseCandidate& each : question.groups)
        {
            shares[each.group.id] = SettleDebts(each, question.now);
            ShareDemand demand{each.group.gpus, each.weight, each.speeds};
            bool canRun = false;
            for (std::size_t j = 0; j < m_gpus.size(); ++j)
            {
                double& speed = demand.speeds[j];
                speed = m_isAgnostic && speed > 0 ? 1 : speed;
                canRun = canRun || (speed > 0 && each.group.gpus <= m_gpus[j]);
            }
            if (each.group.gpus > 0 && canRun) // others share with nobody
            {
                ids.push_back(each.group.id);
                demands.push_back(std::move(demand));
            }
        }
        const MaxMinShares answer = SolveMaxMinShares(m_gpus, demands);
        for (std::size_t i = 0; i < ids.size(); ++i)
        {
            for (std::size_t j = 0; j < m_gpus.size(); ++j)
            {
                shares[ids[i]][j].time = answer.shares[i][j];
            }
        }
        m_computed = question.now;
        m_shares = std::move(shares);
    }

    /** \return what it has of each pool after the present shares, which end now: no share yet */
    std::vector<Share> SettleDebts(const LeaseCandidate& candidate, Time now) const
    {
        std::vector<Share> settled;
        for (uint32_t pool = 0; pool < m_gpus.size(); ++pool)
        {
            const Share past = GetShare(candidate, pool);
            const Time promised = (now - m_computed) * past.time;
            const Time got = candidate.received[pool] - past.base;
            settled.push_back({0, candidate.received[pool], past.debt + promised - got});
        }
        return settled;
    }

    /** \return what it has of that pool; a group that has arrived since has nothing */
    Share GetShare(const LeaseCandidate& candidate, uint32_t pool) const
    {
        const auto found = m_shares.find(candidate.group.id);
        return found == m_shares.end() ? Share() : found->second[pool];
    }

    /** \return seconds on that type since the shares were computed, and half a round, above 0 */
    double GetGot(const LeaseCandidate& candidate, uint32_t pool) const
    {
        const Time got = candidate.received[pool] - GetShare(candidate, pool).base;
        return m_round.GetSeconds() / 2 + got.GetSeconds();
    }

    double SumGot(const LeaseQuestion& question, uint32_t pool) const
    {
        double sum = 0;
        for (const LeaseCandidate& each : question.groups)
        {
            sum += GetGot(each, pool);
        }
        return sum;
    }

    Time m_round;
    Time m_resetAfter;
    bool m_isAgnostic{false};
    Ptr<UniformRandomVariable> m_draw;              //!< the order of types, with Agnostic
    Time m_computed;                                //!< date of the last computation of shares
    std::vector<uint32_t> m_gpus;                   //!< GPUs by pool, as of that date
    std::map<CojobId, std::vector<Share>> m_shares; //!< by pool, of the groups at that date
};

NS_OBJECT_ENSURE_REGISTERED(GavelJobQueuePolicy);
DDL_POLICY_SOURCE(GavelJobQueuePolicy, "Gavel, OSDI", 2020, "speeds on types of GPUs");

} // namespace ns3::ddl
