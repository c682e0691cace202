// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_NIC_H
#define DDL_RDMA_NIC_H

#include "ddl-queue-pair-table.h"
#include "ddl-roce-header.h"

#include "ns3/ddl-host-port.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-nic-engine.h"
#include "ns3/ddl-priority.h"
#include "ns3/ddl-stream.h"

#include <array>
#include <boost/intrusive/list.hpp>
#include <optional>
#include <unordered_map>

namespace ns3::ddl
{

class RdmaReceiver;
class RdmaSender;

/**
 * The list hook by which a sender is in its NIC's lists of ready senders. Only RdmaSender derives
 * from it.
 */
class RdmaReadyHook : public boost::intrusive::list_base_hook<>
{
};

/** What the packets of a queue pair carry beside their headers. */
struct RdmaNote
{
    std::optional<StreamRequest> request; //!< request for the pair, until it is answered
    std::optional<MessageTag> ended;      //!< tag of the message, in its last packet
    uint16_t pair{0};                     //!< with a request: index of the pair in its stream
    uint16_t pairs{1};                    //!< with a request: number of the stream's pairs
};

/** Where a queue pair's packets go. */
struct RdmaRoute
{
    uint32_t host{0};     //!< host index of the destination
    uint32_t flowHash{0}; //!< FlowKey::PathHash, which chooses among equal-cost paths
};

/**
 * The RDMA engine of one host's NIC: serves the ready senders of each band in turn, packet by
 * packet, and hands what arrives to the queue pair it is for. A receiving end is identified by the
 * address of the sending NIC and the number that the sending NIC has given to the pair; a packet
 * with a request creates one. Packets for queue pairs that are gone are ignored.
 *
 * Invariant: a sender is in the list of its band exactly when it can send.
 */
class alignas(64) RdmaNic : public NicEngine
{
  public:
    /** Accepts requests for queue pairs. */
    class Listener
    {
      public:
        virtual ~Listener() = default;
        /** Called when a request has arrived. \param note note with the request \param fields
         * header fields of its packet \return the receiving end that the packet is for, or null */
        virtual RdmaReceiver* Connect(const RdmaNote& note, const RoceFields& fields) = 0;
    };

    /**
     * \param port the NIC's port, whose engine this is until it is destroyed
     * \param address address of the host
     * \param firstPsn PSN of the first packet of each queue pair
     * \param listener callback for requests, outlives this
     */
    RdmaNic(Ptr<HostPort> port, Ipv4Address address, uint32_t firstPsn, Listener& listener);
    ~RdmaNic() override;
    RdmaNic(const RdmaNic&) = delete;
    RdmaNic& operator=(const RdmaNic&) = delete;

    /** \return number of a new queue pair. \param sender its sending end, owned by the caller,
     * until RemoveSender */
    uint32_t Add(RdmaSender* sender);
    void RemoveSender(uint32_t queuePair, RdmaSender& sender);

    /** \param source address of the NIC that sends the pair's data \param queuePair the pair's
     * number at that NIC \param receiver its receiving end, owned by the caller, until
     * RemoveReceiver */
    void AddReceiver(Ipv4Address source, uint32_t queuePair, RdmaReceiver& receiver);
    void RemoveReceiver(Ipv4Address source, uint32_t queuePair, const RdmaReceiver& receiver);

    /** \throws InputError when this NIC has no such band, or the codepoint is above 63 */
    void CheckMark(Mark mark) const;

    /** Called when a sender has become ready, or is no longer ready. */
    void Update(RdmaSender& sender, Time now);
    /** Take a sender out of its band's list, as its band is about to change; Update follows. */
    void Withdraw(RdmaSender& sender);

    /** \return the route of packets from here to another machine. \param port UDP source port */
    RdmaRoute MakeRoute(HostId to, uint16_t port) const;

    /** \return a frame with a new packet, of the length that the header says */
    Frame* MakeFrame(const RoceHeader& header, const RdmaRoute& route, Mark mark, Time now);
    /** Queue an answer. \param frame a frame from MakeFrame, taken over */
    void Send(Frame* frame);

    /** \return whether the far end pauses packets with that codepoint */
    bool IsPaused(uint8_t dscp) const
    {
        return ((m_paused >> dscp) & 1U) != 0;
    }

    Frame* Pull(uint32_t band, Time now) override;
    void SetPaused(uint64_t codepoints) override;
    void Receive(const Frame& frame) override;
    void ForeseePull(unsigned step) const override;
    void ForeseeReceive(const Frame& frame) const override;

    /** \return id of the host's node, for events of its queue pairs */
    uint32_t GetContext() const;
    /** \return rate of the port */
    DataRate GetDataRate() const;

    /** \return address of the host */
    Ipv4Address GetAddress() const
    {
        return m_address;
    }

  private:
    bool Sort(RdmaSender& sender);
    RdmaReceiver* FindReceiver(const Frame& frame, const RoceFields& fields);

    using ReadyList = boost::intrusive::list<RdmaReadyHook>;

    // What each packet needs comes first.
    Ptr<HostPort> m_port;
    uint64_t m_paused{0};                  //!< bit d is set while DSCP d is paused
    uint64_t m_lastKey{0};                 //!< key of the last data packet's receiver
    RdmaReceiver* m_lastReceiver{nullptr}; //!< the receiver of the last data packet, or null
    uint32_t m_firstPsn;
    Ipv4Address m_address;
    QueuePairTable<RdmaSender> m_senders;
    Listener& m_listener;
    std::unordered_map<uint64_t, RdmaReceiver*> m_receivers; //!< receivers; never iterated
    std::array<ReadyList, UNLIMITED_QUEUES> m_ready;         //!< ready senders in turn, by band
};

} // namespace ns3::ddl

#endif // DDL_RDMA_NIC_H
