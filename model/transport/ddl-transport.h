// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRANSPORT_H
#define DDL_TRANSPORT_H

#include "ddl-message-stream.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <functional>
#include <map>
#include <optional>
#include <tuple>

namespace ns3::ddl
{

/** By this name the two ends of a stream find each other. */
struct StreamName
{
    JobId job;
    uint32_t run{1};         //!< of the job
    uint32_t source{0};      //!< rank, or host of a job whose ranks share streams
    uint32_t destination{0}; //!< likewise

    bool operator<(const StreamName& other) const
    {
        return std::tie(job, run, source, destination) <
               std::tie(other.job, other.run, other.source, other.destination);
    }
};

/** Traffic of a transport without packets through one egress queue; the port cannot count it. */
struct QueueTraffic
{
    double bytes{0}; //!< IP bytes, headers included
    Time busy;       //!< how long they kept the wire busy, framing included
};

/**
 * How bytes move: opens message streams between the hosts of a fabric. Selected by name as policies
 * are: `tcp` is TcpTransport.
 *
 * A stream between two ends on one machine does not touch the network: it is a LocalStream, served
 * in order at LocalRate with LocalDelay, whatever the kind of transport.
 */
class Transport : public Policy
{
  public:
    // Ports of TCP connections, and of fluid streams, which take the paths that TCP's would take
    static constexpr uint16_t LISTEN_PORT = 49151;       //!< IANA: reserved, no protocol has it
    static constexpr uint16_t FIRST_SOURCE_PORT = 49152; //!< RFC 6335: dynamic ports; of label 0

    static TypeId GetTypeId();

    ~Transport() override;

    /**
     * Prepare the hosts (protocol stacks, listening ends). Once, before the first Open; the fabric
     * has been built and addressed.
     *
     * \throws InputError when an attribute has no sense (unknown congestion control)
     */
    void Install(Ptr<Fabric> fabric);

    /**
     * Open a stream. Only from inside a running simulation (from an event).
     *
     * \param source machine that sends
     * \param destination machine that receives; may be the source
     * \param sourceMark mark of the data packets from the first one on
     * \param destinationMark mark of the acknowledgements from the first one on
     * \param flowLabel chooses among equal-cost paths: with equal salts of the switches, streams of
     *        equal ends and labels take the same path in every run, whatever else is open; likewise
     *        their acknowledgements. Its lower FlowKey::PATH_BITS count
     * \param name by which the destination knows it; none: it has no receiver there
     * \return the stream's sending end, ready for Send
     */
    Ptr<MessageStream> Open(HostId source,
                            HostId destination,
                            Mark sourceMark,
                            Mark destinationMark,
                            uint32_t flowLabel,
                            const std::optional<StreamName>& name = std::nullopt);

    /**
     * \param source machine that sends
     * \param destination another machine
     * \param flowLabel as in Open
     * \return ports that packets of such a stream, and their acknowledgements, may leave from as
     *         links are now; unless the kind knows better, those of all equal paths
     */
    virtual std::vector<Ptr<Port>> ListPorts(HostId source,
                                             HostId destination,
                                             uint32_t flowLabel) const;

    /** Gets the receiving end of a stream. */
    using AcceptCallback = std::function<void(Ptr<MessageStream>)>;

    /**
     * At the destination: wait for the stream of that name.
     *
     * \param name that nobody else waits for
     * \param accepted called once: within this call if the stream is open, otherwise within Open
     */
    void Accept(const StreamName& name, AcceptCallback accepted);

    /** Wait no longer. No effect where nobody waits. */
    void Refuse(const StreamName& name);

    /** \return the sum over all streams ever opened, closed ones included */
    StreamCounters GetCounters() const;

    /** \return whether bytes travel in packets: then ports and GetCounters count them, and drops,
     *          marks and the like are there to be counted */
    virtual bool HasPackets() const
    {
        return true;
    }

    /**
     * \param port of the fabric
     * \param queue 0 to port->GetQueues() - 1
     * \return what passed until now; of a kind with packets nothing, as the port has counted it
     */
    virtual QueueTraffic GetTraffic(Ptr<Port> /* port */, uint32_t /* queue */) const
    {
        return {};
    }

    /** \return streams that still hold something: open ones, and closed ones with packets under way
     */
    uint32_t GetStreamCount() const
    {
        return static_cast<uint32_t>(m_streams.size());
    }

  protected:
    void DoDispose() override;

    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

  private:
    virtual void DoInstall() = 0;
    /** Both ends carry their marks from the first packet on. */
    virtual Ptr<MessageStream> DoOpen(StreamId id,
                                      HostId source,
                                      HostId destination,
                                      Mark sourceMark,
                                      Mark destinationMark,
                                      uint32_t flowLabel) = 0;

    /** A stream has given back all that it held. */
    void Forget(StreamId id);

    Ptr<Fabric> m_fabric;
    DataRate m_localRate;
    Time m_localDelay;
    std::map<StreamId, Ptr<MessageStream>> m_streams;      //!< those not yet released
    std::map<StreamName, AcceptCallback> m_awaited;        //!< by destinations
    std::map<StreamName, Ptr<MessageStream>> m_unaccepted; //!< open, and not awaited yet
    StreamCounters m_closed;                               //!< sum over those released
    uint32_t m_opened{0};
};

} // namespace ns3::ddl

#endif // DDL_TRANSPORT_H
