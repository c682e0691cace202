// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WAIT_HISTORY_H
#define DDL_WAIT_HISTORY_H

#include "ns3/ddl-place.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** A wait for GPUs that is over. */
struct PastWait
{
    Time end;    //!< date at which the job got its GPUs
    Time length; //!< length of the wait
};

/** Times from the beginning of a job's wait until which it declines certain GPUs. */
struct DelayTimers
{
    Time machine; //!< time until which it declines GPUs on several servers
    Time rack;    //!< time until which it declines GPUs in several racks
};

inline bool
operator==(const DelayTimers& a, const DelayTimers& b)
{
    return a.machine == b.machine && a.rack == b.rack;
}

/**
 * Past waits of jobs for GPUs: one list per tier that a placement spans and number of GPUs. The
 * mechanism that places jobs writes it, and policies read it (Dally's auto-tuner does), so that
 * their answers remain functions of their input. Leases that were renewed in place, after which a
 * job goes on without a wait, are listed apart.
 */
class WaitHistory
{
  public:
    using List = std::deque<PastWait>;

    static constexpr std::size_t LONGEST_LIST = 10000; //!< most waits per list, the newest

    /**
     * \param tier the tier that the job's placement spans; HOST counts as SERVER
     * \param gpus number of GPUs of the job
     * \param wait a wait that ends no earlier than those added before
     */
    void Add(Tier tier, uint32_t gpus, const PastWait& wait);

    /**
     * \param tier SERVER, RACK or NETWORK; HOST counts as SERVER
     * \param gpus number of GPUs of a job
     * \return waits of jobs with that many GPUs that were placed in that tier, the oldest first
     */
    const List& Get(Tier tier, uint32_t gpus) const;

    /** Record that a job goes on at its place at the end of a lease. \param now the present date,
     * no earlier than in the last call; tier and gpus are those of Add */
    void AddRenewal(Tier tier, uint32_t gpus, Time now);

    /** \return renewed leases of jobs with that many GPUs in that tier, as waits of 0; see Get */
    const List& GetRenewals(Tier tier, uint32_t gpus) const;

  private:
    friend class ScratchRenewals;
    using Lists = std::map<std::pair<Tier, uint32_t>, List>;

    static void AddTo(Lists& lists, Tier tier, uint32_t gpus, const PastWait& wait);
    static const List& Find(const Lists& lists, Tier tier, uint32_t gpus);

    Lists m_waits;
    Lists m_renewals;
};

inline const WaitHistory NO_WAITS{}; //!< the history without waits

/** Renewals for trial: the history has them until the destructor takes them back. Its lists may
 * then be longer than LONGEST_LIST. */
class ScratchRenewals
{
  public:
    explicit ScratchRenewals(WaitHistory& waits)
        : m_waits(waits)
    {
    }

    ~ScratchRenewals();
    ScratchRenewals(const ScratchRenewals&) = delete;
    ScratchRenewals& operator=(const ScratchRenewals&) = delete;

    /** As WaitHistory::AddRenewal. Nothing else may be added to the history meanwhile. */
    void Add(Tier tier, uint32_t gpus, Time now);

  private:
    WaitHistory& m_waits;
    std::vector<WaitHistory::List*> m_added; //!< the list of each renewal
};

} // namespace ns3::ddl

#endif // DDL_WAIT_HISTORY_H
