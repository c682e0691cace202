// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_HOST_H
#define DDL_STREAM_HOST_H

#include "ddl-receiving-stream.h"
#include "ddl-sending-stream.h"
#include "ddl-stream-crossing.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::ddl
{

/** Settings and counters that all machines of one transport share. */
struct StreamSettings
{
    /** The streams within servers whose scale-up network is made of streams. */
    struct Server
    {
        std::vector<uint32_t> numbers; //!< number of each machine's server; empty: no such network
        DataRate rate;                 //!< rate of a stream, above 0
        Time delay;                    //!< time from the end of a message's service to its delivery
        StreamCrossing::Machines machines;
    };

    uint32_t hosts{0};   //!< number of machines
    DataRate localRate;  //!< rate of a stream within one machine, above 0
    Time localDelay;     //!< delay of a stream within one machine
    uint32_t streams{0}; //!< streams opened so far, which is the StreamId of the next one
    Server server{};
};

/**
 * One machine's part of a transport: the ends of streams on that machine. It opens sending ends,
 * accepts receiving ends, and answers requests for connections as the kernel of an operating system
 * does: also if Accept has not been called yet. What arrives before Accept is kept for the caller.
 * A connection for which Accept is not called within GetPatience() is closed.
 *
 * A stream whose two ends are here does not touch the network: see LocalStream. Neither does one to
 * another machine of a server with scale-up streams.
 *
 * It knows other machines by number and address only. Invariant: for each name there is one open
 * receiving end.
 */
class StreamHost : public Object
{
  public:
    // These are the ports of TCP connections and of fluid streams, which take the same paths.
    static constexpr uint16_t LISTEN_PORT = 49151;       //!< IANA: reserved, no protocol has it
    static constexpr uint16_t FIRST_SOURCE_PORT = 49152; //!< RFC 6335: dynamic; has label 0

    /** \return time after which a connection that has not been accepted is closed */
    static Time GetPatience()
    {
        return Seconds(60);
    }

    static TypeId GetTypeId();

    /** \param host this machine \param settings the settings that all machines share */
    StreamHost(HostId host, std::shared_ptr<StreamSettings> settings);
    ~StreamHost() override;

    HostId GetHost() const
    {
        return m_host;
    }

    /**
     * Open a stream from here. Only within a running simulation (from an event).
     *
     * \param destination machine that receives; may be this one
     * \param name name by which the destination accepts it; no other open stream to there may have
     *        it
     * \param mark mark of the data from the first packet on
     * \param flowLabel number that chooses among equal-cost paths: with equal salts of switches,
     *        streams with equal ends and labels always take the same path, whatever other streams
     *        exist; so do their acknowledgements. Its lower FlowKey::PATH_BITS bits count
     * \return the sending end, ready for Send
     */
    Ptr<SendingStream> Open(HostId destination,
                            const StreamName& name,
                            Mark mark,
                            uint32_t flowLabel);

    /**
     * Accept a stream that ends here.
     *
     * \param source machine that sends; may be this one
     * \param name name of the stream, which has not been accepted before
     * \param mark mark of the acknowledgements
     * \return the receiving end; data may have arrived already
     */
    Ptr<ReceivingStream> Accept(HostId source, const StreamName& name, Mark mark);

    /** \return sum of the counters of all ends that have existed here, closed ones included */
    StreamCounters GetCounters() const;

    /** \return number of sending ends that still hold resources: open ones, and closed ones with
     *          packets in flight */
    uint32_t GetSendingCount() const
    {
        return static_cast<uint32_t>(m_sending.size());
    }

    /** \return number of receiving ends that still hold resources, those without a request
     *          included */
    uint32_t GetReceivingCount() const
    {
        return static_cast<uint32_t>(m_receiving.size());
    }

  protected:
    void DoDispose() override;

    const StreamSettings& GetSettings() const
    {
        return *m_settings;
    }

    /**
     * For subclasses: the request for a connection has arrived.
     *
     * \param request the request
     * \param expires whether the connection is closed if it is not accepted in time
     * \return its receiving end; null if a later request under the same name arrived before
     */
    Ptr<ReceivingStream> Admit(const StreamRequest& request, bool expires = true);

  private:
    friend class StreamCrossing;

    /** \return a new sending end of a stream to another machine, with that mark from the first
     *          packet on */
    virtual Ptr<SendingStream> DoOpen(const StreamRequest& request,
                                      HostId destination,
                                      Mark mark,
                                      uint32_t flowLabel) = 0;

    /** \return a new receiving end, not connected, of a stream from another machine */
    virtual Ptr<ReceivingStream> DoMakeReceiving(const StreamName& name, HostId source);

    /** \return whether streams to and from that other machine are scale-up streams */
    bool IsInServer(HostId other) const;
    Ptr<SendingStream> MakeSending(const StreamRequest& request,
                                   HostId destination,
                                   Mark mark,
                                   uint32_t flowLabel);
    Ptr<ReceivingStream> MakeReceiving(const StreamName& name, HostId source);
    void ForgetSending(StreamId id);
    /** Free the name of a receiving end that has been shut. */
    void NoteShut(uint64_t number);
    void ForgetReceiving(uint64_t number);

    HostId m_host;
    std::shared_ptr<StreamSettings> m_settings;
    std::map<StreamId, Ptr<SendingStream>> m_sending;     //!< sending ends not yet released
    std::map<uint64_t, Ptr<ReceivingStream>> m_receiving; //!< receiving ends not yet released
    std::map<StreamName, Ptr<ReceivingStream>> m_names;   //!< open receiving ends
    uint64_t m_numbers{0};                                //!< receiving ends made so far
    StreamCounters m_closed;                              //!< sum of the counters of released ends
};

} // namespace ns3::ddl

#endif // DDL_STREAM_HOST_H
