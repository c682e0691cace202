// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STEADY_RECORDER_H
#define DDL_STEADY_RECORDER_H

#include "ddl-steady-stretch.h"

#include "ns3/ddl-fluid-network.h"
#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"
#include "ns3/ddl-trace-records.h"
#include "ns3/ddl-training-cluster.h"

#include <map>
#include <set>
#include <vector>

namespace ns3::ddl
{

/**
 * Watches the streams of jobs in a run on packets, by windows of one round-trip time, and passes
 * them to a StretchFinder.
 *
 * The round-trip time is that of a full packet and its acknowledgement on the longest path from
 * host 0, without queueing. A stream's ports are those of its data. A port is saturated in a window
 * if it sends for at least 95 % of it. A message that follows another without a pause is no change.
 */
class SteadyRecorder
{
  public:
    /**
     * Construct it before the run, which it must outlive.
     *
     * \param cluster a cluster whose transport has packets
     * \param begin time at which the first window begins
     * \param finder where windows go
     */
    SteadyRecorder(Ptr<TrainingCluster> cluster, Time begin, StretchFinder& finder);

    /** \return length of a window */
    Time GetWindow() const
    {
        return m_window;
    }

    /** \return packets that have left a port since the begin */
    uint64_t GetPacketHops() const;
    /** \return payload of the watched streams at each port, over all bytes of IPv4 packets there,
     * since the begin; without headers, acknowledgements and control it would be 1
     * \param byteHops StretchFinder::GetByteHops() */
    double GetCoverage(double byteHops) const;

  private:
    struct Watched
    {
        Ptr<SendingStream> sender;
        Ptr<ReceivingStream> receiver;
        std::vector<uint32_t> ports; //!< egress ports on the path of its data, by index
        uint64_t sent{0};            //!< bytes of messages given to the sender
        uint64_t delivered{0};       //!< bytes of complete messages
        uint64_t received{0};        //!< bytes received at the end of the last window
        bool changed{false};         //!< whether something has changed in the window
    };

    struct WatchedPort
    {
        Time busy;                   //!< time it had sent for, when it was last read
        uint64_t read{0};            //!< number of the window at whose end it was last read
        std::vector<uint32_t> users; //!< streams that use it in the window
    };

    /** \return the stream of an end that a machine has opened; null: it stays on the machine */
    template <typename End>
    Watched* Watch(Ptr<End> stream, Ptr<End> Watched::*end);
    void NoteOpened(JobId job, Ptr<SendingStream> stream);
    void NoteAccepted(JobId job, Ptr<ReceivingStream> stream);
    void NoteSent(const StreamName& name, uint64_t bytes);
    void NoteDelivered(const StreamName& name, uint64_t bytes);
    void NoteRemark(const RemarkRecord& remark);
    void NoteLink(bool up);
    Time FindRoundTrip() const;
    void SetPath(Watched& stream) const;
    /** \return traffic of all ports so far: packets, bytes */
    PacketCount CountAtPorts() const;
    bool IsSaturated(uint32_t port);
    void Begin();
    void EndWindow();

    Ptr<TrainingCluster> m_cluster;
    StretchFinder& m_finder;
    FluidNetwork m_network;
    bool m_isRdma;
    Time m_window;
    uint64_t m_windows{0}; //!< number of the present window
    std::vector<Watched> m_streams;
    std::map<StreamName, uint32_t> m_names; //!< index in m_streams
    std::set<uint32_t> m_active;            //!< streams that had something to deliver in the window
    std::vector<WatchedPort> m_ports;       //!< in the order of Fabric::GetPorts
    PacketCount m_before;                   //!< traffic of all ports at the begin
};

} // namespace ns3::ddl

#endif // DDL_STEADY_RECORDER_H
