// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_PAIR_H
#define DDL_STREAM_PAIR_H

#include "ns3/ddl-transport.h"
#include "ns3/simple-ref-count.h"

#include <deque>
#include <functional>
#include <memory>

namespace ns3::ddl
{

/** Both ends of a stream, for tests that look at it from outside. */
class StreamPair : public SimpleRefCount<StreamPair>
{
  public:
    using DeliveredCallback = Callback<void>;

    enum class End
    {
        SOURCE,
        DESTINATION
    };

    StreamPair(Ptr<SendingStream> sending, Ptr<ReceivingStream> receiving)
        : m_sending(sending),
          m_receiving(receiving)
    {
        m_receiving->SetReceiver([waiting = m_waiting](const MessageTag&) {
            const DeliveredCallback delivered = waiting->front();
            waiting->pop_front();
            if (!delivered.IsNull())
            {
                delivered();
            }
        });
    }

    /** The destination waits, and then the source opens. \param name that no other stream has */
    static Ptr<StreamPair> Open(const Ptr<Transport>& transport,
                                HostId source,
                                HostId destination,
                                Mark sourceMark,
                                Mark destinationMark,
                                uint32_t flowLabel,
                                uint32_t name)
    {
        const StreamName called{JobId{name}, 1, source.value, destination.value};
        const auto receiving = transport->On(destination)->Accept(source, called, destinationMark);
        const auto sending =
            transport->On(source)->Open(destination, called, sourceMark, flowLabel);
        return Create<StreamPair>(sending, receiving);
    }

    /** \param delivered called when the last byte has arrived; may be null */
    void Send(uint64_t bytes, DeliveredCallback delivered)
    {
        m_waiting->push_back(delivered);
        m_sending->Send(bytes);
    }

    void SetMark(End end, Mark mark)
    {
        end == End::SOURCE ? m_sending->SetMark(mark) : m_receiving->SetMark(mark);
    }

    Mark GetMark(End end) const
    {
        return end == End::SOURCE ? m_sending->GetMark() : m_receiving->GetMark();
    }

    HostId GetSource() const
    {
        return m_sending->GetSource();
    }

    HostId GetDestination() const
    {
        return m_sending->GetDestination();
    }

    uint64_t GetSentBytes() const
    {
        return m_sending->GetSentBytes();
    }

    uint64_t GetDeliveredBytes() const
    {
        return m_receiving->GetReceivedBytes();
    }

    bool IsIdle() const
    {
        return GetDeliveredBytes() == GetSentBytes();
    }

    StreamCounters GetCounters() const
    {
        StreamCounters counters = m_sending->GetCounters();
        return counters += m_receiving->GetCounters();
    }

    /** Both ends. */
    void Close()
    {
        m_sending->Close();
        m_receiving->Close();
    }

    Ptr<SendingStream> GetSending() const
    {
        return m_sending;
    }

    Ptr<ReceivingStream> GetReceiving() const
    {
        return m_receiving;
    }

  private:
    Ptr<SendingStream> m_sending;
    Ptr<ReceivingStream> m_receiving;
    /** Who is to be called for each message under way. */
    std::shared_ptr<std::deque<DeliveredCallback>> m_waiting =
        std::make_shared<std::deque<DeliveredCallback>>();
};

} // namespace ns3::ddl

#endif // DDL_STREAM_PAIR_H
