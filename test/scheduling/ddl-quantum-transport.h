// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUANTUM_TRANSPORT_H
#define DDL_QUANTUM_TRANSPORT_H

#include "ns3/data-rate.h"
#include "ns3/ddl-stream-crossing.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

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
class QuantumStream : public SendingStream
{
  public:
    QuantumStream(const StreamRequest& request,
                  HostId destination,
                  const StreamCrossing::Machines& machines,
                  QuantumPort* port)
        : SendingStream(request, destination),
          m_port(port),
          m_crossing(machines, *this)
    {
    }

    StreamCounters GetCounters() const override
    {
        return {};
    }

    /** A quantum has arrived, at most the rest of the message under way. */
    void Arrive(uint64_t bytes)
    {
        if (IsShut())
        {
            return;
        }
        m_arrived += bytes;
        while (!m_ends.empty() && m_ends.front().first <= m_arrived)
        {
            const auto [end, tag] = m_ends.front();
            m_ends.pop_front();
            m_crossing.Carry({end - m_carried, tag});
            m_carried = end;
        }
        m_crossing.Carry({m_arrived - m_carried, std::nullopt});
        m_carried = m_arrived;
        NotifyAcknowledged(bytes);
    }

    uint64_t m_left{0}; //!< bytes not yet given to the port

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override
    {
        m_ends.emplace_back(GetSentBytes(), tag);
        if (m_left == 0)
        {
            m_port->ready.push_back(this);
        }
        m_left += bytes;
        m_port->Serve();
    }

    void DoSetMark(Mark) override
    {
    }

    void DoClose() override
    {
        auto& ready = m_port->ready;
        ready.erase(std::remove(ready.begin(), ready.end(), this), ready.end());
        m_left = 0;
        m_crossing.Close();
        NotifyReleased();
    }

    QuantumPort* m_port;
    std::deque<std::pair<uint64_t, MessageTag>> m_ends; //!< of messages, by position
    uint64_t m_arrived{0};                              //!< bytes
    uint64_t m_carried{0};                              //!< of these
    StreamCrossing m_crossing;
};

/** A machine with such streams. */
class QuantumHost : public StreamHost
{
  public:
    QuantumHost(HostId host,
                std::shared_ptr<StreamSettings> settings,
                const StreamCrossing::Machines& machines,
                DataRate rate,
                uint64_t quantum)
        : StreamHost(host, std::move(settings)),
          m_machines(machines)
    {
        m_port.rate = rate;
        m_port.quantum = quantum;
    }

  private:
    Ptr<SendingStream> DoOpen(const StreamRequest& request,
                              HostId destination,
                              Mark mark,
                              uint32_t /* flowLabel */) override
    {
        const auto stream = CreateObject<QuantumStream>(request, destination, m_machines, &m_port);
        stream->SetMark(mark);
        return stream;
    }

    const StreamCrossing::Machines& m_machines;
    QuantumPort m_port;
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
            return a->GetMark().band < b->GetMark().band;
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

    Ptr<StreamHost> DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings) override
    {
        const auto made =
            CreateObject<QuantumHost>(host, std::move(settings), m_machines, m_rate, m_quantum);
        m_machines.Add(PeekPointer(made));
        return made;
    }

    DataRate m_rate;
    uint64_t m_quantum;
    StreamCrossing::Machines m_machines;
};

} // namespace test
} // namespace ns3::ddl

#endif // DDL_QUANTUM_TRANSPORT_H
