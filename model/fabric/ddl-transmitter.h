// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRANSMITTER_H
#define DDL_TRANSMITTER_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3::ddl
{

/**
 * How long packets keep a wire busy: n bytes for (n + framing) * 8 / rate.
 *
 * Fractions of a time step are carried over while the wire stays busy, so that a train of packets
 * takes its exact time, to one step: a packet of 1538 bytes on the wire takes 30.76 ns at 400 Gbps,
 * and cutting off the fraction of each would make the link 2.5 % faster.
 */
class Transmitter
{
  public:
    /** \param rate bits per second on the wire. \throws InputError when it is 0 */
    void SetDataRate(DataRate rate);

    /** \return bits per second on the wire */
    DataRate GetDataRate() const
    {
        return DataRate(m_bitsPerSecond);
    }

    /** \param bytes on the wire beside each packet */
    void SetFraming(uint32_t bytes);

    /** \return bytes on the wire beside each packet */
    uint32_t GetFraming() const
    {
        return m_framing;
    }

    /** Before the first packet. \throws InputError when time steps are finer than picoseconds */
    void Start();

    /**
     * Begin to send a packet.
     * \param bytes of the packet, up to 9000
     * \param now not before GetFreeTime()
     */
    void Occupy(uint32_t bytes, Time now)
    {
        if (now > m_free)
        {
            m_carry = 0;
        }
        const uint64_t owed = (uint64_t{bytes} + m_framing) * m_stepsPerByte + m_carry;
        m_carry = owed % m_bitsPerSecond;
        m_free = now + TimeStep(owed / m_bitsPerSecond);
    }

    /** \return when the last bit of the last packet is out */
    Time GetFreeTime() const
    {
        return m_free;
    }

    /** \return how long packets with so many bytes in all keep the wire busy */
    Time GetDuration(uint64_t packets, uint64_t bytes) const;

  private:
    Time m_free;
    uint64_t m_carry{0}; //!< fraction of a time step still owed, times the rate
    uint64_t m_bitsPerSecond{1};
    uint64_t m_stepsPerByte{0}; //!< time steps a second, times 8
    uint32_t m_framing{0};
};

} // namespace ns3::ddl

#endif // DDL_TRANSMITTER_H
