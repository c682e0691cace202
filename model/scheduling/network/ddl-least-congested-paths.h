// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEAST_CONGESTED_PATHS_H
#define DDL_LEAST_CONGESTED_PATHS_H

#include "ddl-scheduler-view.h"

#include <vector>

namespace ns3::ddl
{

/**
 * Seconds for which a job's iteration occupies its busiest link alone (t of Crux §4.1).
 *
 * \param flows flows of the job \param paths the path of each, an index of FlowView::paths
 * \param linkRates bytes per second, by link
 */
double GetBusiestSeconds(const std::vector<FlowView>& flows,
                         const std::vector<uint32_t>& paths,
                         const std::vector<double>& linkRates);

/**
 * The load of links, as a part of the time, to which jobs are added one after the other: each flow
 * takes the least congested of its paths at that moment (Crux §4.1).
 *
 * A path is as congested as its most loaded link would be with the flow; of equals, the one with
 * the least sum of loads, then the first.
 */
class LinkLoads
{
  public:
    /** \param linkRates bytes per second, by link; outlives this object */
    explicit LinkLoads(const std::vector<double>& linkRates);

    /**
     * \param flows flows of a job
     * \param period seconds of its iteration, more than 0
     * \return the path of each flow, which now loads it
     */
    std::vector<uint32_t> Add(const std::vector<FlowView>& flows, double period);

    /** \return part of the time for which a link is busy; above 1, what is asked of it */
    double Get(uint32_t link) const
    {
        return m_loads.at(link);
    }

  private:
    const std::vector<double>& m_rates;
    std::vector<double> m_loads;
};

} // namespace ns3::ddl

#endif // DDL_LEAST_CONGESTED_PATHS_H
