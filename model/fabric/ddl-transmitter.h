// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRANSMITTER_H
#define DDL_TRANSMITTER_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3::ddl
{

/**
 * Computes how long packets keep a wire busy: n bytes, framing included, for 8 n / rate.
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

    /** Read ns-3's time resolution; call before the first packet. \throws InputError when time
     * steps are finer than picoseconds */
    static void Start();

    /**
     * Begin to send a packet.
     * \param bytes size of the packet on the wire, up to 10000
     * \param now the present time, not before GetFreeTime()
     */
    void Occupy(uint32_t bytes, Time now)
    {
        if (now > m_free)
        {
            m_carry = 0;
        }
        const uint64_t owed = bytes * m_stepsPerByte + m_carry;
        m_carry = owed % m_bitsPerSecond;
        m_free = now + TimeStep(owed / m_bitsPerSecond);
    }

    /** \return time at which the last bit of the last packet leaves */
    Time GetFreeTime() const
    {
        return m_free;
    }

    /** \return time for which so many bytes keep the wire busy */
    Time GetDuration(uint64_t bytes) const;

  private:
    static inline uint64_t m_stepsPerByte = 0; //!< time steps per second times 8 bits per byte

    Time m_free;
    uint64_t m_carry{0}; //!< fraction of a time step still owed, times the rate
    uint64_t m_bitsPerSecond{1};
};

} // namespace ns3::ddl

#endif // DDL_TRANSMITTER_H
