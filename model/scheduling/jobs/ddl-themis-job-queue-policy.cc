// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-leasing-job-queue-policy.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace ns3::ddl
{

/**
 * `themis`: finish-time fairness by auctions of leases (Mahajan et al., NSDI 2020).
 *
 * rho = T_shared / T_independent of a group: the time from its arrival to its end on shared GPUs,
 * over the same on its own 1/N of the cluster. When GPUs are free, the part 1 - Fairness of the
 * groups without a lease for which rho is greatest bids for them. The GPUs go so that the product
 * of 1 / rho of the bidders is greatest. Others get what is left.
 *
 * Our reading, for groups that need all their GPUs or none:
 *  - T_shared assumes that a winner computes for one lease where it won and then on its fastest
 *    type, and that a loser waits for one lease; nobody waits after that.
 *  - T_independent is the compute time on the fastest type times max(1, N GPUs of the group / GPUs
 *    of the cluster), with N the mean number of groups since its arrival; with WholeCluster times
 *    N, as the paper computes it, since its jobs use as many GPUs as there are.
 *  - Types are auctioned one after another, by the bidders' mean speed, fastest first.
 *  - What is left goes by rho, greatest first (the paper: at random).
 *  - Bids are true, as the mechanism makes them, so nobody pays: the paper's hidden payments only
 *    make lies useless.
 */
class ThemisJobQueuePolicy : public LeasingJobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::ThemisJobQueuePolicy")
                .SetParent<LeasingJobQueuePolicy>()
                .SetGroupName("Ddl")
                .AddConstructor<ThemisJobQueuePolicy>()
                .AddAttribute("Lease",
                              "time for which a group gets GPUs; scaled by m x i",
                              TimeValue(Minutes(20)),
                              MakeTimeAccessor(&ThemisJobQueuePolicy::m_lease),
                              MakeTimeChecker(TimeStep(1)))
                .AddAttribute(
                    "Fairness",
                    "the fairness knob f: the part 1 - f of the groups, and at least one, "
                    "bids, those with the greatest rho",
                    DoubleValue(0.8),
                    MakeDoubleAccessor(&ThemisJobQueuePolicy::m_fairness),
                    MakeDoubleChecker<double>(0, 1))
                .AddAttribute("WholeCluster",
                              "the independent time is that on the whole cluster times the mean "
                              "number of groups, as printed",
                              BooleanValue(false),
                              MakeBooleanAccessor(&ThemisJobQueuePolicy::m_isWhole),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "leases by auctions among the groups whose finish time is most unfair (Themis)";
    }

    /** Integrate the number of groups over time, and note who is new. */
    void NoteGroups(const LeaseQuestion& question) override
    {
        m_groupSeconds += (question.now - m_noted).GetSeconds() * m_groups;
        m_noted = question.now;
        m_groups = static_cast<double>(question.groups.size());
        std::map<CojobId, Arrival> arrivals;
        for (const LeaseCandidate& each : question.groups)
        {
            const auto known = m_arrivals.find(each.group.id);
            arrivals[each.group.id] =
                known == m_arrivals.end() ? Arrival{question.now, m_groupSeconds} : known->second;
        }
        m_arrivals = std::move(arrivals);
    }

    Time GetLease() const override
    {
        return m_lease;
    }

    bool HasRounds() const override
    {
        return false;
    }

  private:
    /** A group without a lease. */
    struct Bidder
    {
        std::size_t group; //!< its index in the question
        double rho;        //!< if it got GPUs of its fastest type now
        double speed;      //!< that of its fastest type
    };

    std::vector<LeaseGrant> DoGrant(const LeaseQuestion& question) override
    {
        NoteGroups(question);
        LeaseRoom room(question);
        std::vector<Bidder> bidders;
        for (std::size_t i = 0; i < question.groups.size(); ++i)
        {
            const LeaseCandidate& each = question.groups[i];
            const double speed = *std::max_element(each.speeds.begin(), each.speeds.end());
            if (!room.HasGrant(i) && speed > 0)
            {
                const double left = each.group.remaining.GetSeconds() / speed;
                bidders.push_back({i, GetRho(question, each, left), speed});
            }
        }
        std::stable_sort(bidders.begin(), bidders.end(), [](const Bidder& a, const Bidder& b) {
            return a.rho > b.rho;
        });
        const auto visible =
            static_cast<std::size_t>(std::ceil((1 - m_fairness) * double(bidders.size())));
        const std::vector<Bidder> invited(
            bidders.begin(),
            bidders.begin() + std::min(bidders.size(), std::max<std::size_t>(visible, 1)));
        for (const uint32_t pool : SortPools(question, invited))
        {
            Auction(question, invited, pool, room);
        }
        for (const Bidder& bidder : bidders)
        {
            GiveFastest(question, bidder.group, room);
        }
        return room.GetGrants();
    }

    /** \return rho of a group that would end in so many seconds */
    double GetRho(const LeaseQuestion& question, const LeaseCandidate& each, double left) const
    {
        const GroupView& group = each.group;
        const double elapsed = (question.now - group.submit).GetSeconds();
        const double speed = *std::max_element(each.speeds.begin(), each.speeds.end());
        const double alone = (group.computed + group.remaining).GetSeconds() / speed;
        double gpus = 0;
        for (const GpuPool& pool : question.pools)
        {
            gpus += pool.gpus;
        }
        const double groups = GetMeanContention(question, group.id);
        const double slowdown = m_isWhole ? groups : std::max(1.0, groups * group.gpus / gpus);
        const double independent = std::max(alone * slowdown, 1e-9); // it may have nothing to do
        return (elapsed + left) / independent;
    }

    /** \return log of the factor by which GPUs of the pool for one lease improve 1 / rho; above 0
     */
    double GetGain(const LeaseQuestion& question, const Bidder& bidder, uint32_t pool) const
    {
        const LeaseCandidate& each = question.groups[bidder.group];
        const double lease = m_lease.GetSeconds();
        const double work = std::max(each.group.remaining.GetSeconds(), 1e-9);
        const double there = each.speeds[pool];
        const double won =
            work <= lease * there ? work / there : lease + (work - lease * there) / bidder.speed;
        const double lost = lease + work / bidder.speed;
        return std::log(GetRho(question, each, lost) / GetRho(question, each, won));
    }

    /** \return pools by the mean speed of bidders, the fastest first; of equals, the first */
    static std::vector<uint32_t> SortPools(const LeaseQuestion& question,
                                           const std::vector<Bidder>& bidders)
    {
        std::vector<double> speeds(question.pools.size());
        for (const Bidder& bidder : bidders)
        {
            for (std::size_t j = 0; j < speeds.size(); ++j)
            {
                speeds[j] += question.groups[bidder.group].speeds[j];
            }
        }
        std::vector<uint32_t> pools(speeds.size());
        std::iota(pools.begin(), pools.end(), 0);
        std::stable_sort(pools.begin(), pools.end(), [&speeds](uint32_t a, uint32_t b) {
            return speeds[a] > speeds[b];
        });
        return pools;
    }

    /**
     * Give GPUs of a pool to the bidders for which the product of 1 / rho is greatest, by dynamic
     * programming over bidders and GPUs. O(bidders x GPUs)
     */
    void Auction(const LeaseQuestion& question,
                 const std::vector<Bidder>& bidders,
                 uint32_t pool,
                 LeaseRoom& room) const
    {
        std::vector<std::size_t> items; // bidders that could use some of these GPUs
        for (std::size_t i = 0; i < bidders.size(); ++i)
        {
            if (!room.HasGrant(bidders[i].group) && room.Fits(bidders[i].group, pool))
            {
                items.push_back(i);
            }
        }
        const uint32_t free = room.GetFree(pool);
        // best[g]: the greatest sum of gains of the items so far with g GPUs
        std::vector<double> best(free + 1);
        std::vector<std::vector<bool>> takes(items.size(), std::vector<bool>(free + 1));
        for (std::size_t i = items.size(); i-- > 0;) // the greatest rho last, so it wins ties
        {
            const Bidder& bidder = bidders[items[i]];
            const uint32_t gpus = question.groups[bidder.group].group.gpus;
            const double gain = GetGain(question, bidder, pool);
            for (uint32_t g = free + 1; g-- > gpus;)
            {
                if (best[g - gpus] + gain >= best[g])
                {
                    best[g] = best[g - gpus] + gain;
                    takes[i][g] = true;
                }
            }
        }
        uint32_t left = free;
        for (std::size_t i = 0; i < items.size(); ++i)
        {
            if (takes[i][left])
            {
                const std::size_t group = bidders[items[i]].group;
                left -= question.groups[group].group.gpus;
                room.Take(group, pool);
            }
        }
    }

    /** Without a grant, the group gets GPUs of the fastest type of which there are enough. */
    static void GiveFastest(const LeaseQuestion& question, std::size_t group, LeaseRoom& room)
    {
        const std::vector<double>& speeds = question.groups[group].speeds;
        std::optional<uint32_t> fastest;
        for (uint32_t pool = 0; pool < speeds.size(); ++pool)
        {
            if (room.Fits(group, pool) && (!fastest || speeds[pool] > speeds[*fastest]))
            {
                fastest = pool;
            }
        }
        if (fastest && !room.HasGrant(group))
        {
            room.Take(group, *fastest);
        }
    }

    /** \return mean number of groups since the group's arrival */
    double GetMeanContention(const LeaseQuestion& question, CojobId group) const
    {
        const Arrival& arrival = m_arrivals.at(group);
        const double seconds = (question.now - arrival.date).GetSeconds();
        return seconds > 0 ? (m_groupSeconds - arrival.groupSeconds) / seconds : m_groups;
    }

    /** When a group was first seen, and m_groupSeconds then. */
    struct Arrival
    {
        Time date;
        double groupSeconds;
    };

    Time m_lease;
    double m_fairness{0.8};
    bool m_isWhole{false};
    double m_groupSeconds{0}; //!< integral of the number of groups over time, until m_noted
    double m_groups{0};       //!< number of groups since m_noted
    Time m_noted;
    std::map<CojobId, Arrival> m_arrivals; //!< of groups that have not left
};

NS_OBJECT_ENSURE_REGISTERED(ThemisJobQueuePolicy);
DDL_POLICY_SOURCE(ThemisJobQueuePolicy,
                  "Themis, NSDI",
                  2020,
                  "remaining time, speeds on types of GPUs");

} // namespace ns3::ddl
