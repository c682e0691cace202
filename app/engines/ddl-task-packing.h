// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_PACKING_H
#define DDL_TASK_PACKING_H

#include <cstddef>
#include <vector>

namespace ns3::ddl
{

constexpr double LEAST_TASK_SECONDS = 600; //!< schedulers choke on more than a few starts a minute

/**
 * Pack runs into tasks, each of which one process carries out, run after run.
 *
 * A task has at least ten minutes of work, and less than twenty unless a single run has more. At
 * most one task has less than ten. But if that makes fewer tasks than can run at a time, the work
 * is spread over as many as that, as evenly as "longest first to the least loaded" does.
 *
 * \param seconds expected CPU seconds of each run
 * \param atATime least number of tasks that are wanted, if there are as many runs; 0: any
 * \return indices of the runs of each task. The longest run of a task goes first, and so does the
 *         task with the most work. O(n log n) for n runs
 */
std::vector<std::vector<std::size_t>> PackRuns(const std::vector<double>& seconds,
                                               std::size_t atATime);

} // namespace ns3::ddl

#endif // DDL_TASK_PACKING_H
