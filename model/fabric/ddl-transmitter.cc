// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-transmitter.h"

#include "ns3/ddl-error.h"

namespace ns3::ddl
{

namespace
{
constexpr uint64_t BITS_PER_BYTE = 8;
constexpr uint64_t PICOSECONDS = 1'000'000'000'000; // 9038 bytes at that resolution fit 64 bits
} // namespace

void
Transmitter::SetDataRate(DataRate rate)
{
    if (rate.GetBitRate() == 0)
    {
        throw InputError("a port needs a data rate above 0");
    }
    m_bitsPerSecond = rate.GetBitRate();
}

void
Transmitter::Start()
{
    const auto stepsPerSecond = static_cast<uint64_t>(Seconds(1).GetTimeStep());
    if (stepsPerSecond > PICOSECONDS)
    {
        throw InputError("time steps finer than picoseconds do not fit the ports' arithmetic");
    }
    m_stepsPerByte = stepsPerSecond * BITS_PER_BYTE;
}

Time
Transmitter::GetDuration(uint64_t bytes) const
{
    return Seconds(static_cast<double>(bytes * BITS_PER_BYTE) /
                   static_cast<double>(m_bitsPerSecond));
}

} // namespace ns3::ddl
