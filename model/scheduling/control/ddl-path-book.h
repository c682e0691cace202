// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PATH_BOOK_H
#define DDL_PATH_BOOK_H

#include "ddl-control-message.h"
#include "ddl-job-record.h"
#include "ddl-network-map.h"

#include "ns3/ddl-scheduler-view.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::ddl
{

/**
 * Knows the path of each stream of the jobs that run, and finds the changes that have to be sent to
 * the machines when a network scheduler chooses other paths.
 *
 * A stream begins on the path of the label with which its job opens it, and keeps the label that it
 * was given last. The map says which links that means, at each decision: a link that fails moves
 * streams as it moves their packets.
 */
class PathBook
{
  public:
    /** The pins that have to be sent, by machine. */
    using Changes = std::map<HostId, std::vector<PathPin>>;

    /** \param map of the network; null, the default: no job has flows */
    void SetMap(std::shared_ptr<NetworkMap> map)
    {
        m_map = std::move(map);
    }

    /**
     * Give each unit of kind JOB its flows, in the order of the channels of its plan, and set the
     * rates of all links.
     *
     * \param view units whose jobs are live
     * \param table of these jobs
     */
    void AddFlows(SchedulerView& view, const JobTable& table);

    /**
     * Let each flow take the path that was chosen, in the view as well.
     *
     * \param view the view of the last AddFlows
     * \param choice a path for each of its flows
     */
    void Pin(SchedulerView& view, const PathChoice& choice);

    /** \return the pins of streams whose label has changed since the last call, by stream */
    Changes TakeChanges();

  private:
    /** A flow of the last view. */
    struct Flow
    {
        StreamName name;
        HostId source;
        const std::vector<uint32_t>* labels{nullptr}; //!< labels of its paths
        bool isListed{true}; //!< whether it takes one of them; else the view shows the first
    };

    std::vector<Flow> AddJobFlows(UnitView& unit, const RunSpec& run);

    std::shared_ptr<NetworkMap> m_map;
    std::map<StreamName, uint32_t> m_labels; //!< labels of streams that have been pinned
    std::vector<std::vector<Flow>> m_flows;  //!< flows of the last view, by unit
    std::map<HostId, std::map<StreamName, uint32_t>> m_changed; //!< labels that are to be sent
};

} // namespace ns3::ddl

#endif // DDL_PATH_BOOK_H
