// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WAIT_HISTORY_H
#define DDL_WAIT_HISTORY_H

#include "ns3/ddl-place.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace ns3::ddl
{

/** A wait for GPUs that is over. */
struct PastWait
{
    Time end;    //!< date at which the job got its GPUs
    Time length; //!< of the wait
};

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

    static constexpr std::size_t LONGEST_LIST = 10000; //!< what is older is forgotten

    /**
     * \param tier that the placement spans; HOST counts as SERVER
     * \param gpus of the job
     * \param wait that ends no earlier than those added before
     */
    void Add(Tier tier, uint32_t gpus, const PastWait& wait);

    /**
     * \param tier SERVER, RACK or NETWORK; HOST counts as SERVER
     * \param gpus of the job
     * \return waits of jobs of so many GPUs that were placed in that tier, the oldest first
     */
    const List& Get(Tier tier, uint32_t gpus) const;

    /** A job goes on at its place, at the end of a lease. \param now no earlier than before;
     * otherwise as Add */
    void AddRenewal(Tier tier, uint32_t gpus, Time now);

    /** \return renewed leases of jobs of so many GPUs in that tier, as waits of 0; see Get */
    const List& GetRenewals(Tier tier, uint32_t gpus) const;

  private:
    using Lists = std::map<std::pair<Tier, uint32_t>, List>;

    static void AddTo(Lists& lists, Tier tier, uint32_t gpus, const PastWait& wait);
    static const List& Find(const Lists& lists, Tier tier, uint32_t gpus);

    Lists m_waits;
    Lists m_renewals;
};

inline const WaitHistory NO_WAITS{}; //!< without waits

} // namespace ns3::ddl

#endif // DDL_WAIT_HISTORY_H
