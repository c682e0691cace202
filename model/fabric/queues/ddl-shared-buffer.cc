// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-shared-buffer.h"

#include "ns3/ddl-error.h"

#include <cmath>

namespace ns3::ddl
{

SharedBuffer::SharedBuffer(uint64_t total, double alpha)
    : m_total(total),
      m_alpha(alpha)
{
    if (total == 0 || !std::isfinite(alpha) || alpha <= 0)
    {
        throw InputError("a shared buffer needs a size above 0 bytes and an alpha above 0, not " +
                         std::to_string(total) + " and " + std::to_string(alpha));
    }
}

} // namespace ns3::ddl
