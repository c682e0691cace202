// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_TYPE_H
#define DDL_GPU_TYPE_H

#include "ns3/nstime.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A kind of GPU, and how fast it computes: a task takes its time on a V100 divided by the speed.
 */
struct GpuType
{
    std::string name{"V100"};
    double speed{1};                      //!< speed relative to a V100, above 0
    std::map<std::string, double> models; //!< speed for certain models, by model name, above 0

    /** \return speed with that model, relative to a V100 */
    double GetSpeed(const std::string& model) const;
    /** \return time on this GPU of a task of that model that takes \p time on a V100 */
    Time GetTime(Time time, const std::string& model) const;
};

/**
 * The known types and their speeds:
 *  - V100: 1, the reference;
 *  - K80: 1/7, and T4: 2/7, from ResNet-50 in Hare §II-B: a V100 is seven times and a T4 twice as
 *    fast as a K80;
 *  - M60: 1.1/7, from the peak rates of M60 and K80, 4.83 and 4.37 TFLOPS per GPU, because Hare
 *    prints its speed in a figure only.
 *
 * With Hare's models other than image networks (Fig. 1), a V100 is 2 to 5.5 times as fast as a K80.
 * Of these numbers, only GraphSAGE's 2 is Hare's (§II-B); the others are ours, near to Gavel's.
 *
 * \return the types, by name
 */
const std::vector<GpuType>& ListGpuTypes();

/**
 * \param name name of a known type
 * \return the type
 * \throws InputError with the menu when there is none
 */
const GpuType& FindGpuType(const std::string& name);

} // namespace ns3::ddl

#endif // DDL_GPU_TYPE_H
