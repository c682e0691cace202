// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUANTILE_RANDOM_VARIABLE_H
#define DDL_QUANTILE_RANDOM_VARIABLE_H

#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A random variable that is given by some of its quantiles, such as the median, as papers print
 * them. Between two quantiles, the logarithm of the value is linear in the level. This suits
 * quantities that span orders of magnitude, such as durations of jobs.
 */
class QuantileRandomVariable : public RandomVariableStream
{
  public:
    static TypeId GetTypeId();

    double GetValue() override;
    uint32_t GetInteger() override;

    /** \return the fault of levels or values, and how to correct it; "" if there is none */
    std::string FindProblem() const;

  private:
    std::vector<double> m_levels; //!< levels of the quantiles, ascending, from 0 to 1
    std::vector<double> m_values; //!< value of each quantile, above 0, not descending
};

} // namespace ns3::ddl

#endif // DDL_QUANTILE_RANDOM_VARIABLE_H
