// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CASSINI_CIRCLE_H
#define DDL_CASSINI_CIRCLE_H

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * What one job demands from one link in an iteration: nothing while it computes, and a constant
 * share of the capacity while it sends (CASSINI's Down and Up phases).
 */
struct LinkPattern
{
    double up{0};     //!< seconds of an iteration in which the job sends, from its start on
    double demand{0}; //!< share of the link's capacity that it wants meanwhile, 0 to 1
};

/**
 * CASSINI's unified circle: time rolled up so that all jobs of a link repeat themselves after one
 * turn. A job has a whole number of iterations on it.
 */
struct UnifiedCircle
{
    double perimeter{0};              //!< seconds of one turn
    std::vector<uint32_t> iterations; //!< number of iterations of each job in a turn, from 1

    /** \return seconds of an iteration of a job on this circle, at least its own */
    double GetIteration(std::size_t job) const
    {
        return perimeter / iterations[job];
    }
};

/**
 * Roll up iterations. With a stretch of 0 the perimeter is their least common multiple.
 *
 * Otherwise iterations are lengthened, the longest one included, to fit a shorter circle: the
 * perimeter is the least one at which no job is longer than (1 + stretch) times its iteration. If
 * there is none up to `turns` times the longest iteration, it is the one below that bound at which
 * the longest stretch is least. An iteration is never shortened.
 *
 * \param iterations seconds of an iteration of each job, all above 0, at least one
 * \param stretch relative length that may be added to an iteration, 0 or more
 * \param turns bound of the perimeter in iterations of the slowest job, from 1
 * \return the circle. O(jobs^2 log(turns) 1000)
 */
UnifiedCircle MakeCircle(const std::vector<double>& iterations, double stretch, uint32_t turns);

/**
 * \param circle circle of the jobs
 * \param patterns demand of each job, in the order of the circle
 * \param shifts seconds by which the start of each job is moved on the circle
 * \return CASSINI's compatibility score of the link: 1 - mean(max(0, demand - C)) / C over the
 *         circle, without error of discretisation; 1: no excess at all, and below 0 with more than
 *         twice the capacity all the time. A job with more than 64 iterations on the circle counts
 *         by its mean demand
 */
double GetCompatibility(const UnifiedCircle& circle,
                        const std::vector<LinkPattern>& patterns,
                        const std::vector<double>& shifts);

/** Shifts of the jobs of one link, and what they achieve. */
struct LinkRotation
{
    double score{1};
    std::vector<double> shifts; //!< seconds, from 0 to below an iteration; 0 for the first job
};

/**
 * Rotate the jobs of a link for the best score: the best of all rotations, if there are at most
 * 100,000 rotations times iterations of all jobs on the circle, as for three jobs in steps of 5
 * degrees with up to 19 iterations; otherwise job after job, until no job alone can improve the
 * score, at most ten rounds and about the same work, at least one round. Of equal
 * scores, the one counts that is also best when all jobs send a twentieth of their iteration
 * earlier and longer, then the least shifts.
 *
 * \param circle circle of the jobs
 * \param patterns demand of each job, in the order of the circle
 * \param degrees angle between two rotations of a job that are tried, above 0, in degrees of the
 *        job's own iteration
 */
LinkRotation FindRotation(const UnifiedCircle& circle,
                          const std::vector<LinkPattern>& patterns,
                          double degrees);

} // namespace ns3::ddl

#endif // DDL_CASSINI_CIRCLE_H
