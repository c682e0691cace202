// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_NIC_H
#define DDL_RDMA_NIC_H

#include "ddl-queue-pair-table.h"
#include "ddl-roce-header.h"

#include "ns3/ddl-host-port.h"
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
 * The hook by which a sender stands in its NIC's lists of senders that can send. Only RdmaSender
 * derives from it.
 */
class RdmaReadyHook : public boost::intrusive::list_base_hook<>
{
};

/** What the packets of a queue pair say beside their headers. */
struct RdmaNote
{
    std::optional<StreamRequest> request; //!< for the pair, until it is answered
    std::optional<MessageTag> ended;      //!< of the message whose last packet this is
};

/** Where a queue pair's packets go. */
struct RdmaRoute
{
    uint32_t host{0};     //!< destination
    uint32_t flowHash{0}; //!< chooses among equal paths
};

/**
 * The RDMA engine of one host's NIC: lets the ready senders of the highest band take turns packet
 * by packet, and hands what arrives to the queue pair it is for. A receiving end is known by the
 * address of the sending NIC and the number that this has given to the pair; a packet with a
 * request makes one. Packets for queue pairs that are gone are passed over.
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
        /** A request has come. \param fields of its packet \return the end that the packet is for;
         * null: nobody */
        virtual RdmaReceiver* Connect(const StreamRequest& request, const RoceFields& fields) = 0;
    };

    /**
     * \param port becomes this engine's, until this is destroyed
     * \param address of the host
     * \param firstPsn of each queue pair
     * \param listener outlives this
     */
    RdmaNic(Ptr<HostPort> port, Ipv4Address address, uint32_t firstPsn, Listener& listener);
    ~RdmaNic() override;
    RdmaNic(const RdmaNic&) = delete;
    RdmaNic& operator=(const RdmaNic&) = delete;

    /** \return number of the queue pair. \param sender stays the caller's, until Remove */
    uint32_t Add(RdmaSender* sender);
    void RemoveSender(uint32_t queuePair, RdmaSender& sender);

    /** \param receiver of that pair from now on; stays the caller's, until Remove
     * \param source of the pair's data \param queuePair its number there */
    void AddReceiver(Ipv4Address source, uint32_t queuePair, RdmaReceiver& receiver);
    void RemoveReceiver(Ipv4Address source, uint32_t queuePair, const RdmaReceiver& receiver);

    /** \throws InputError when this NIC has no such band, or the codepoint is above 63 */
    void CheckMark(Mark mark) const;

    /** A sender can, or cannot, send any more. */
    void Update(RdmaSender& sender, Time now);
    /** A sender's band is about to change: Update follows. */
    void Withdraw(RdmaSender& sender);

    /** \return a frame with a new packet, whose header says how long it is */
    Frame* MakeFrame(const RoceHeader& header, const RdmaRoute& route, Mark mark, Time now);
    /** Queue an answer. \param frame from MakeFrame, taken over */
    void Send(Frame* frame);

    /** \return whether packets with that codepoint must wait */
    bool IsPaused(uint8_t dscp) const
    {
        return ((m_paused >> dscp) & 1U) != 0;
    }

    Frame* Pull(uint32_t band, Time now) override;
    void SetPaused(uint64_t codepoints) override;
    void Receive(const Frame& frame) override;
    void ForeseePull(unsigned step) const override;
    void ForeseeReceive(const Frame& frame) const override;

    /** \return node of the host, for events of its queue pairs */
    uint32_t GetContext() const;
    /** \return rate of the port */
    DataRate GetDataRate() const;

    /** \return of the host */
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
    uint64_t m_paused{0};                  //!< codepoints, a bit mask
    uint64_t m_lastKey{0};                 //!< of the last packet with data
    RdmaReceiver* m_lastReceiver{nullptr}; //!< the receiver with that key, or null
    uint32_t m_firstPsn;
    Ipv4Address m_address;
    QueuePairTable<RdmaSender> m_senders;
    Listener& m_listener;
    std::unordered_map<uint64_t, RdmaReceiver*> m_receivers; //!< looked up, never walked
    std::array<ReadyList, UNLIMITED_QUEUES> m_ready;         //!< by band, whose turn it is first
};

} // namespace ns3::ddl

#endif // DDL_RDMA_NIC_H
