// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PACE_CONTROL_H
#define DDL_PACE_CONTROL_H

#include "ns3/ddl-fluid-stream.h"
#include "ns3/ddl-training-cluster.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** Bounds of a pace, and of the ratio of packets to fluids that it follows. Choices, far beyond
 * the errors of fluids in the sampling study, which were at most 13 % of a mean completion time. */
constexpr double LEAST_PACE = 0.05;
constexpr double MOST_PACE = 50;

/** Sets the pace of fluid streams by job (FluidStream::SetPace), also of those opened later. */
class StreamPacer
{
  public:
    /** \param cluster cluster that has not run yet, and outlives this object */
    explicit StreamPacer(Ptr<TrainingCluster> cluster);
    StreamPacer(const StreamPacer&) = delete;
    StreamPacer& operator=(const StreamPacer&) = delete;

    void Set(JobId job, double pace);
    /** Release the streams of a job, a run of which is over. */
    void Forget(JobId job);
    /** Release all streams, since the simulation is over. */
    void Clear();

  private:
    void NotifyStream(JobId job, Ptr<SendingStream> stream);

    std::map<JobId, double> m_paces;
    std::map<JobId, std::vector<Ptr<FluidStream>>> m_streams;
};

/** Wanted speed of a job in a situation. */
struct JobPace
{
    double pace{1}; //!< first pace of its streams (FluidStream::SetPace())
    std::optional<double>
        iteration; //!< wanted length of an iteration on average, seconds; none: not controlled
};

/**
 * Keeps the iterations of a job at a wanted length, by the pace of its streams. At the end of each
 * iteration, let b be how many iterations the job is behind, and s the sum of b so far. Then
 * pace = wanted pace x exp(-0.3 b - 0.03 s): a job that is behind sends faster. (A constant pace is
 * not enough: contending jobs fall into step with each other. Where that step changes, a small
 * change of the pace makes a large one of the length.)
 */
class IterationControl
{
  public:
    IterationControl() = default;
    explicit IterationControl(const JobPace& wanted);

    /**
     * \param end end of an iteration
     * \return the pace from now on; nothing after the first iteration, or if no length is wanted
     */
    std::optional<double> Follow(Time end);

  private:
    JobPace m_wanted;
    std::optional<double> m_first; //!< end of the first iteration, seconds
    uint64_t m_iterations{0};      //!< number of iterations since then
    double m_sum{0};               //!< the sum s
};

} // namespace ns3::ddl

#endif // DDL_PACE_CONTROL_H
