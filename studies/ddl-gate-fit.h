// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GATE_FIT_H
#define DDL_GATE_FIT_H

#include "ns3/ddl-contention-model.h"

#include <vector>

namespace ns3::ddl
{

/** What k equal all-reduces between the same machines took on average. */
struct ContentionSample
{
    uint32_t tasks{1};
    double bytes{0};
    double seconds{0};
};

/**
 * Fit T = a + k b M + (k - 1) eta M by least squares of the relative errors, so that small
 * messages, which tell a, count as much as large ones.
 *
 * \param samples of at least two sizes, and at least two numbers of tasks
 */
ContentionModel FitContention(const std::vector<ContentionSample>& samples);

} // namespace ns3::ddl

#endif // DDL_GATE_FIT_H
