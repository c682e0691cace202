// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_STREAM_H
#define DDL_RDMA_STREAM_H

#include "ddl-rdma-receiver.h"
#include "ddl-rdma-sender.h"

#include "ns3/ddl-message-stream.h"

#include <memory>

namespace ns3::ddl
{

/**
 * A message stream over one queue pair, set up out of band before the first packet. Close gives
 * everything back at once: packets under way find no queue pair.
 */
class RdmaStream : public MessageStream, public RdmaReceiver::Client
{
  public:
    static TypeId GetTypeId();

    /** One end as its machine names it. */
    struct Place
    {
        HostId id;
        RdmaNic& nic; //!< outlives the stream's open life
    };

    /**
     * \param flowLabel of Transport::Open: the UDP source port of both directions carries it, as
     *        RoCEv2 NICs choose it
     * \param options outlive the stream's open life
     */
    RdmaStream(StreamId id,
               Place source,
               Place destination,
               uint32_t flowLabel,
               const RdmaOptions& options);

    StreamCounters GetCounters() const override;
    void Close() override;

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes) override;
    void DoSetMark(End end, Mark mark) override;
    void Deliver(uint64_t bytes) override;
    void Release();

    RdmaNic& m_sourceNic;
    RdmaNic& m_destinationNic;
    std::unique_ptr<RdmaSender> m_sender;     //!< null once closed
    std::unique_ptr<RdmaReceiver> m_receiver; //!< null once closed
    StreamCounters m_final;                   //!< once closed
};

} // namespace ns3::ddl

#endif // DDL_RDMA_STREAM_H
