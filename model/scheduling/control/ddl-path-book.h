// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PATH_BOOK_H
#define DDL_PATH_BOOK_H

#include "ddl-control-message.h"
#include "ddl-job-record.h"

#include "ns3/ddl-scheduler-view.h"
#include "ns3/ddl-transport.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Knows the path of each stream of the jobs that run, and finds the changes that have to be sent to
 * the machines when a network scheduler chooses other paths.
 *
 * A stream begins on the path of the label with which its job opens it, and keeps the label that it
 * was given last. Which links that means is asked of the network at each decision, so a link that
 * fails moves streams as it moves their packets. A controller would learn that from the switches;
 * here it costs no messages.
 *
 * Where the transport lists no paths, a flow has one, which cannot be changed: that through the
 * NICs of its ends. Links between switches are not seen then.
 */
class PathBook
{
  public:
    /** The pins that have to be sent, by machine. */
    using Changes = std::map<HostId, std::vector<PathPin>>;

    /** \param transport installed; without it, all paths are those through NICs
     *  \param fabric its network */
    void SetNetwork(Ptr<const Transport> transport, Ptr<const Fabric> fabric)
    {
        m_transport = transport;
        m_fabric = fabric;
    }

    /**
     * Give each unit of kind JOB its flows, in the order of the channels of its plan, and set the
     * rates of all links.
     *
     * \param view units whose jobs are live
     * \param table of these jobs
     * \param rates of the machines' NICs, by HostId
     */
    void AddFlows(SchedulerView& view, const JobTable& table, const std::vector<DataRate>& rates);

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
    /** The ways between two machines. */
    struct Ways
    {
        std::vector<uint32_t> labels; //!< a label for each path; empty: it cannot be chosen
        std::shared_ptr<const std::vector<std::vector<uint32_t>>> links; //!< links of each path
    };

    /** A flow of the last view. */
    struct Flow
    {
        StreamName name;
        HostId source;
        const Ways* ways{nullptr};
    };

    void NumberLinks(const std::vector<DataRate>& rates);
    bool NoteLinkStates();
    std::vector<uint32_t> ListLinks(const std::vector<Ptr<Port>>& ports) const;
    const Ways& FindWays(HostId source, HostId destination);
    uint32_t FindPath(const Ways& ways, HostId source, HostId destination, uint32_t label) const;
    std::vector<Flow> AddJobFlows(UnitView& unit, const RunSpec& run);
    bool UsesLinks(HostId source, HostId destination) const;

    Ptr<const Transport> m_transport;
    Ptr<const Fabric> m_fabric;
    std::vector<double> m_rates;             //!< bytes per second, by link
    std::map<Ptr<Port>, uint32_t> m_numbers; //!< number of each link by its egress port
    std::vector<bool> m_up;                  //!< state of each cable when m_ways were found
    std::map<std::pair<HostId, HostId>, Ways> m_ways;
    std::map<StreamName, uint32_t> m_labels; //!< labels of streams that have been pinned
    std::vector<std::vector<Flow>> m_flows;  //!< flows of the last view, by unit
    std::map<HostId, std::map<StreamName, uint32_t>> m_changed; //!< labels that are to be sent
};

} // namespace ns3::ddl

#endif // DDL_PATH_BOOK_H
