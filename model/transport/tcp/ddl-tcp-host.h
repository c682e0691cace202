// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TCP_HOST_H
#define DDL_TCP_HOST_H

#include "ddl-stream-socket.h"

#include "ns3/ddl-flow-key.h"
#include "ns3/ddl-host-port.h"
#include "ns3/ddl-stream-host.h"

#include <array>
#include <vector>

namespace ns3::ddl
{

/**
 * One machine's part of TcpTransport: the listening socket and the source ports. A connection is
 * identified by its addresses and ports, by which ns-3's stack finds the socket of a packet. The
 * request for it names the stream, and the socket that the listening one makes for it becomes that
 * stream's receiving end.
 *
 * A source port carries the stream's flow label in its lower bits, so that switches see the label
 * in the packets (FlowKey). The 16 ports of a label are used in turn, so that packets that an old
 * connection left in a queue do not reach a new one with the same ports. Streams beyond the 16th of
 * a label at one time take a port of the next label.
 */
class TcpHost : public StreamHost
{
  public:
    static TypeId GetTypeId();

    /**
     * \param host this machine
     * \param settings the settings that all machines share
     * \param node the machine's node, with its ports and an Internet stack
     * \param options options of the sockets, the listening one and all that it makes included
     */
    TcpHost(HostId host,
            std::shared_ptr<StreamSettings> settings,
            Ptr<Node> node,
            const TcpOptions& options);
    ~TcpHost() override;

    /**
     * Make a socket with a source port of its own.
     * \param options options of the socket
     * \param flowLabel the stream's flow label, see StreamHost::Open
     * \param[out] port the socket's source port
     * \return the new socket, not yet connected
     */
    Ptr<StreamSocket> CreateSocket(const TcpOptions& options, uint32_t flowLabel, uint16_t& port);

    /** Hand the listening socket a request whose first receiver is gone, see
     * StreamSocket::TakeRequest. */
    void TakeRequest(Ptr<Packet> request, const Address& from, const Address& to);

    /** From now on, write this mark on the packets that this machine sends in a flow. */
    void SetMark(const FlowKey& flow, Mark mark);
    void ClearMark(const FlowKey& flow);

  protected:
    void DoDispose() override;

  private:
    Ptr<SendingStream> DoOpen(const StreamRequest& request,
                              HostId destination,
                              Mark mark,
                              uint32_t flowLabel) override;
    Ptr<ReceivingStream> DoMakeReceiving(const StreamName& name, HostId source) override;

    bool Connect(Ptr<StreamSocket> end, const Address& from, const StreamRequest& request);

    TcpOptions m_options;
    Ptr<Node> m_node;
    std::vector<Ptr<HostPort>> m_ports; //!< NIC, and the port to a scale-up switch if there is one
    Ptr<StreamSocket> m_listener;
    std::array<uint8_t, FlowKey::PATH_LABELS> m_turns{}; //!< number of the next port of each label
};

} // namespace ns3::ddl

#endif // DDL_TCP_HOST_H
