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
    double speed{1};                      //!< of a V100's, the reference; above 0
    std::map<std::string, double> models; //!< by model's name: speed for that one, above 0

    /** \return relative speed with that model */
    double GetSpeed(const std::string& model) const;
    /** \return time on this GPU of a task of that model that takes `time` on the reference */
    Time GetTime(Time time, const std::string& model) const;
};

/**
 * The known ones: V100, 1, the reference; T4 2/7 and K80 1/7, ResNet-50 in Hare §II-B (a T4 is
 * twice as fast as a K80, a V100 seven times); M60 1.1/7, after the peak rates of K80 and M60, 4.37
 * and 4.83 TFLOPS per GPU, because Hare prints its speed in a figure only. With Hare's models that
 * are no image networks (Fig. 1) a V100 is 2 to 5.5 times as fast as a K80; but for GraphSAGE's 2
 * (§II-B) these are our numbers, near to Gavel's.
 *
 * \return the types, by name
 */
const std::vector<GpuType>& ListGpuTypes();

/**
 * \param name of a known type
 * \return the type
 * \throws InputError with the menu when there is none
 */
const GpuType& FindGpuType(const std::string& name);

} // namespace ns3::ddl

#endif // DDL_GPU_TYPE_H
