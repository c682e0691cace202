// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STOCK_NETWORK_H
#define DDL_STOCK_NETWORK_H

#include "ddl-bench-work.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc-container.h"

namespace ns3
{
namespace ddl
{

/**
 * The leaf-spine network of a BenchWork out of stock parts, IP stacks and routes included.
 *
 * Host i of leaf l is 10.i.l.1, so that a leaf needs one route a host of its own and one a spine
 * (10.i.0.0/16), and a spine one a leaf (0.0.l.0, of the hosts that it serves).
 */
class StockNetwork
{
  public:
    /** What all root queue discs sent. */
    struct Sent
    {
        uint64_t packets{0};
        uint64_t bytes{0}; //!< of IPv4 packets
        uint64_t drops{0}; //!< packets
    };

    /**
     * \param work the network
     * \param queueDisc of every device; without TypeId the one that StockOptions describes
     */
    StockNetwork(const BenchWork& work, const ObjectFactory& queueDisc);

    Ptr<Node> GetHost(HostId host) const;      //!< \return a machine
    Ipv4Address GetAddress(HostId host) const; //!< \return its address
    Sent CountSent() const;                    //!< \return since the start

  private:
    void Connect(Ptr<Node> a, Ptr<Node> b);
    void InstallQueueDisc(Ptr<NetDevice> device);
    void AddInterface(Ptr<NetDevice> device);
    void AddRoutes();

    const BenchWork m_work;
    ObjectFactory m_queueDisc;
    NodeContainer m_hosts;
    NodeContainer m_leaves;
    NodeContainer m_spines;
    QueueDiscContainer m_discs;
    uint32_t m_switchAddresses{0};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_STOCK_NETWORK_H
