// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FORECAST_SURVEY_H
#define DDL_FORECAST_SURVEY_H

#include "ddl-workload-sample.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * The work of jobs, in a unit to which CPU time is about proportional: bytes if there are packets,
 * else messages, and in both cases a little for each iteration of each worker.
 */
class WorkTable
{
  public:
    /** \param hasPackets whether the transport has packets */
    explicit WorkTable(bool hasPackets)
        : m_hasPackets(hasPackets)
    {
    }

    /** The work of one iteration of a job. */
    struct Iteration
    {
        uint64_t bytes{0};    //!< bytes of all messages
        uint64_t messages{0}; //!< number of messages
        double work{0};       //!< work in the unit of the table
    };

    /** \return the work of an iteration of a job; equal jobs are planned once */
    const Iteration& Get(const JobSpec& job);

  private:
    bool m_hasPackets;
    std::map<std::string, Iteration> m_known;
};

/** Sums over a workload; real numbers, since parts of it may be scaled up. */
struct WorkTotals
{
    long double cojobs{0};
    long double jobs{0};
    long double stages{0};
    long double iterations{0};
    long double bytes{0};
    long double messages{0};
    long double work{0};      //!< work in the unit of the WorkTable
    long double cojobWork{0}; //!< work of cojobs, which also run alone as a whole

    /** Add other totals, multiplied by a factor. */
    void Add(const WorkTotals& other, double factor);
};

/** Totals of a workload, and some of its groups to try alone. */
struct Survey
{
    WorkTotals totals;
    std::vector<CojobSpec> examples;        //!< the first group, and the one with the most work
    std::map<JobId, uint64_t> iterations{}; //!< number of iterations of each counted job
};

/** \return totals of a group. \param iterations gets the number of iterations of each job */
WorkTotals CountGroup(const CojobSpec& group,
                      WorkTable& table,
                      std::map<JobId, uint64_t>& iterations);

/** \return totals of a workload. \param table table for the transport of the scenario */
Survey SurveyWorkload(const WorkloadSample& work, WorkTable& table);

} // namespace ns3::ddl

#endif // DDL_FORECAST_SURVEY_H
