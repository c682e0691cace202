// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCE_COST_H
#define DDL_REPRODUCE_COST_H

#include "app/compare/ddl-comparison.h"

#include <filesystem>

namespace ns3
{
namespace ddl
{

/**
 * Measures what the runs of a comparison cost, those alone included: CPU seconds of all processes
 * that were started meanwhile. What earlier calls have spent on runs that are kept is added, so
 * that it does not matter in how many goes they were done.
 */
class CostMeter
{
  public:
    /** Starts to measure. \param request the comparison that is about to run */
    explicit CostMeter(const CompareOptions& request);
    /**
     * Stops, and writes `cost.json` into the comparison's folder.
     *
     * \param isResumed true if finished runs of earlier calls were kept
     */
    void Write(bool isResumed) const;

    /** \return CPU seconds by the `cost.json` of a comparison's folder; 0 if there is none */
    static double Read(const std::filesystem::path& folder);

  private:
    std::filesystem::path m_file;
    double m_before{0}; //!< CPU seconds of earlier calls
    double m_start{0};  //!< CPU seconds of our children so far
};

} // namespace ddl
} // namespace ns3

#endif // DDL_REPRODUCE_COST_H
