// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STREAM_CROSSING_H
#define DDL_STREAM_CROSSING_H

#include "ddl-receiving-stream.h"

#include "ns3/ptr.h"

#include <memory>
#include <vector>

namespace ns3::ddl
{

class SendingStream;
class StreamHost;

/**
 * The connection between the two ends of a stream without packets. Beside Link it is the only
 * object that sees two machines. The sending end owns it, requests the connection through it, and
 * hands over bytes at the instant of their arrival.
 */
class StreamCrossing
{
  public:
    /** All machines of a transport. Only a crossing can see them. */
    class Machines
    {
      public:
        /** \param machine the machine with the next HostId, from 0; not owned; open until Clear */
        void Add(StreamHost* machine)
        {
            m_machines.push_back(machine);
        }

        void Clear()
        {
            m_machines.clear();
        }

      private:
        friend class StreamCrossing;
        std::vector<StreamHost*> m_machines;
    };

    /**
     * Ask for a connection.
     *
     * \param machines all machines, the destination among them
     * \param source the sending end, which owns this
     */
    StreamCrossing(const Machines& machines, SendingStream& source);
    /**
     * Ask for a connection within one machine.
     * \param machine the machine of both ends
     * \param source the sending end, which owns this
     */
    StreamCrossing(StreamHost& machine, SendingStream& source);
    ~StreamCrossing();
    StreamCrossing(const StreamCrossing&) = delete;
    StreamCrossing& operator=(const StreamCrossing&) = delete;

    /** Deliver bytes, which arrive now. They are lost if the receiving end is closed. */
    void Carry(const MessagePiece& piece);

    /** End the connection: no more bytes come. One that was never accepted is forgotten. */
    void Close();

  private:
    friend class ReceivingStream;

    /** Called by the receiving end when it has another connection. */
    void Detach();
    /** Called by the receiving end. \return bytes that have arrived but were not carried yet */
    uint64_t CountUntold() const;

    SendingStream& m_source;
    Ptr<ReceivingStream> m_end; //!< the receiving end, null once the connection is over
};

} // namespace ns3::ddl

#endif // DDL_STREAM_CROSSING_H
