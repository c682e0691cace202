// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-batch.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

unsigned
BatchTask::GetMinutes() const
{
    constexpr double MARGIN = 2;
    constexpr double START = 10; // minutes
    constexpr double MOST = 60 * 24 * 365;
    const double minutes = std::min(MOST, timeFactor * (MARGIN * seconds / 60 + START));
    return static_cast<unsigned>(std::ceil(minutes / START) * START); // few different limits
}

unsigned
BatchTask::GetMegabytes() const
{
    constexpr double MARGIN = 1.5;
    constexpr double START = 256; // MiB
    const double megabytes = memoryFactor * (MARGIN * memoryMb * 1e6 / (1 << 20) + START);
    return static_cast<unsigned>(std::ceil(megabytes / START) * START);
}

} // namespace ns3::ddl
