// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUANTUM_TRANSPORT_H
#define DDL_QUANTUM_TRANSPORT_H

#include "ns3/data-rate.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace ns3::ddl
{
namespace test
{

class QuantumStream;

/** What a machine sends: quanta, strict priority by band, round robin among streams of a band. */
struct QuantumPort
{
    DataRate rate;
    uint64_t quantum{1};
    bool busy{false};
    std::deque<QuantumStream*> ready; //!< streams with bytes to send, next one first

    void Serve();
    void Finish(Ptr<QuantumStream> stream, uint64_t bytes);
};

/** A stream of the transport below. */
class QuantumStream : public MessageStream
{
  public:
    QuantumStream(StreamId id, HostId source, HostId destination, QuantumPort* port)
        : MessageStream(id, source, destination),
          m_port(port)
    {
    }

    StreamCounters GetCounters() const override
    {
        return {};
    }

    void Close() override
    {
        if (Shut())
        {
            auto& ready = m_port->ready;
            ready.erase(std::remove(ready.begin(), ready.end(), this), ready.end());
            m_left = 0;
            NotifyReleased();
        }
    }

    void Arrive(uint64_t bytes)
    {
        if (!IsShut())
        {
            NotifyDelivered(bytes);
        }
    }

    uint64_t m_left{0}; //!< bytes not yet given to the port

  private:
    void DoSend(uint64_t bytes) override
    {
        if (m_left == 0)
        {
            m_port->ready.push_back(this);
        }
        m_left += bytes;
        m_port->Serve();
    }

    void DoSetMark(End, Mark) override
    {
    }

    QuantumPort* m_port;
};

inline void
QuantumPort::Serve()
{
    if (busy || ready.empty())
    {
        return;
    }
    const auto next =
        std::min_element(ready.begin(), ready.end(), [](const auto* a, const auto* b) {
            constexpr auto SOURCE = MessageStream::End::SOURCE;
            return a->GetMark(SOURCE).band < b->GetMark(SOURCE).band;
        });
    QuantumStream* stream = *next;
    const uint64_t bytes = std::min(quantum, stream->m_left);
    stream->m_left -= bytes;
    ready.erase(next);
    if (stream->m_left > 0)
    {
        ready.push_back(stream); // behind the others of its band
    }
    busy = true;
    Simulator::Schedule(rate.CalculateBytesTxTime(bytes),
                        &QuantumPort::Finish,
                        this,
                        Ptr<QuantumStream>(stream),
                        bytes);
}

inline void
QuantumPort::Finish(Ptr<QuantumStream> stream, uint64_t bytes)
{
    busy = false;
    stream->Arrive(bytes);
    Serve();
}

/**
 * A network without packets: a machine sends one quantum after the other, from the lowest band that
 * has one; it arrives at once. Switches, receivers and acknowledgements cost nothing.
 */
class QuantumTransport : public Transport
{
  public:
    QuantumTransport(DataRate rate, uint64_t quantum)
        : m_rate(rate),
          m_quantum(quantum)
    {
    }

    std::string GetSummary() const override
    {
        return "for tests: quanta by strict priority at the sender";
    }

  private:
    void DoInstall() override
    {
    }

    Ptr<MessageStream> DoOpen(StreamId id,
                              HostId source,
                              HostId destination,
                              Mark sourceMark,
                              Mark destinationMark,
                              uint32_t /* flowLabel */) override
    {
        QuantumPort& port = m_ports[source];
        port.rate = m_rate;
        port.quantum = m_quantum;
        const auto stream = CreateObject<QuantumStream>(id, source, destination, &port);
        stream->SetMark(MessageStream::End::SOURCE, sourceMark);
        stream->SetMark(MessageStream::End::DESTINATION, destinationMark);
        return stream;
    }

    DataRate m_rate;
    uint64_t m_quantum;
    std::map<HostId, QuantumPort> m_ports;
};

} // namespace test
} // namespace ns3::ddl

#endif // DDL_QUANTUM_TRANSPORT_H
