// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SERVER_FAILURES_H
#define DDL_SERVER_FAILURES_H

#include "ns3/ddl-ids.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3::ddl
{

class Agent;
class ControlPlane;
class Coordinator;
class Fabric;

/** A server that fails, and comes back. */
struct ServerFailure
{
    Time at;
    uint32_t server{0};        //!< number of a chassis, see Place::server
    std::optional<Time> lasts; //!< empty if it does not come back
};

/**
 * Lets servers fail and come back. A server is a chassis: all its machines fail together.
 *
 * When it fails, the links of its machines go down, its runs end at once without a message, and
 * packets and messages in transit to and from it are lost. When it comes back, it has lost all its
 * state.
 *
 * The coordinator learns of a failure when the server has been silent for the detection time, or
 * when it is back and reports that, whichever is earlier.
 */
class ServerFailures
{
  public:
    /** The parts that failures affect; all must outlive the run. */
    struct Parts
    {
        Ptr<Fabric> fabric;
        std::vector<Ptr<Agent>> agents; //!< one per machine
        Ptr<ControlPlane> plane;
        Ptr<Coordinator> coordinator;
        Time detection;                //!< time from a failure until the coordinator knows of it
        std::optional<HostId> storage; //!< the machine that keeps checkpoints
    };

    explicit ServerFailures(const Parts& parts);
    ~ServerFailures();

    /**
     * Before that time. Failures of one server may overlap: it is back when the last one is over.
     *
     * \throws InputError when there is no such server, or the coordinator runs, or checkpoints are,
     *         there
     */
    void Schedule(const ServerFailure& failure);

  private:
    struct Server
    {
        std::vector<Ptr<Agent>> agents; //!< agents of its machines
        uint32_t down{0};               //!< failures that are not over
        uint64_t last{0};               //!< number of the last failure
    };

    void Fail(uint32_t server);
    void Return(uint32_t server);
    void SetLinks(uint32_t server, bool up);
    void NoteSilence(uint32_t server, uint64_t failure);
    std::vector<HostId> ListMachines(uint32_t server) const;

    Parts m_parts;
    std::vector<EventId> m_events; //!< failures, returns, and their detection
    std::map<uint32_t, Server> m_servers;
};

} // namespace ns3::ddl

#endif // DDL_SERVER_FAILURES_H
