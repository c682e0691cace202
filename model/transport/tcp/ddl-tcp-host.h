// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TCP_HOST_H
#define DDL_TCP_HOST_H

#include "ddl-stream-socket.h"

#include "ns3/ddl-flow-key.h"
#include "ns3/ddl-host-port.h"
#include "ns3/ipv4-address.h"
#include "ns3/simple-ref-count.h"

#include <array>
#include <map>
#include <utility>

namespace ns3::ddl
{

/**
 * One machine's side of TcpTransport: the listening end, the source ports, and which connection
 * belongs to which stream. A connection is known by its source's address and port.
 *
 * A source port carries the stream's flow label in its lower bits, so that switches see the label
 * in the packets (FlowKey). The 16 ports of a label are given out in turn, so that what an old
 * connection left in a queue does not meet a new one of the same name. Streams beyond the 16th of a
 * label at one time take a port of the next label.
 */
class TcpHost : public SimpleRefCount<TcpHost>
{
  public:
    using AcceptedCallback = Callback<void, Ptr<StreamSocket>>;

    /**
     * \param node the machine, with an Internet stack
     * \param nic its port
     * \param address its address
     * \param options of the listening end, and so of all that it accepts
     */
    TcpHost(Ptr<Node> node, Ptr<HostPort> nic, Ipv4Address address, const TcpOptions& options);
    ~TcpHost();

    Ipv4Address GetAddress() const
    {
        return m_address;
    }

    /**
     * Make a socket with a source port of its own.
     * \param options of the socket
     * \param flowLabel of Transport::Open
     * \param[out] port its source port
     * \return the socket, to be connected
     */
    Ptr<StreamSocket> CreateSocket(const TcpOptions& options, uint32_t flowLabel, uint16_t& port);

    /** A connection from there belongs to somebody. \param accepted gets the end that serves it */
    void Expect(Ipv4Address source, uint16_t port, AcceptedCallback accepted);
    /** Connections from there belong to nobody any more; requests are passed over. */
    void Forget(Ipv4Address source, uint16_t port);

    /** From now on, write this mark on what this machine sends in a flow. */
    void SetMark(const FlowKey& flow, Mark mark);
    void ClearMark(const FlowKey& flow);

  private:
    using Source = std::pair<Ipv4Address, uint16_t>;

    bool IsExpected(Ptr<Socket> listener, const Address& from);
    bool Accept(Ptr<StreamSocket> end, const Address& from);

    Ptr<Node> m_node;
    Ptr<HostPort> m_nic;
    Ipv4Address m_address;
    Ptr<StreamSocket> m_listener;
    std::map<Source, AcceptedCallback> m_expected;
    std::array<uint8_t, FlowKey::PATH_LABELS> m_turns{}; //!< next port of each label
};

} // namespace ns3::ddl

#endif // DDL_TCP_HOST_H
