// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_H
#define DDL_TRACE_H

#include "ns3/ddl-learning-curve.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3::ddl
{

constexpr uint32_t NOT_GIVEN = std::numeric_limits<uint32_t>::max(); //!< by the trace

/** Details of a job that only some traces have. */
struct TraceDetails
{
    std::vector<uint64_t> stages;   //!< iterations of each; empty: all in one
    uint32_t servers{NOT_GIVEN};    //!< parameter servers
    std::vector<CurvePoint> points; //!< accuracy and loss; empty: not measured
};

/** A job of a trace. Small, since there may be many. */
struct TraceJob
{
    uint64_t line{0}; //!< of the file, from 1
    Time submit;
    Time duration;                  //!< 0: not given
    uint32_t id{0};                 //!< given once
    uint32_t cojob{NOT_GIVEN};      //!< jobs with the same number are a cojob
    uint32_t gpus{1};               //!< one worker each
    uint64_t iterations{NOT_GIVEN}; //!< or else stages or the duration are given
    uint32_t model{NOT_GIVEN};      //!< index into Trace::models
    uint32_t details{NOT_GIVEN};    //!< index into Trace::details
};

/** One-way transfers that belong together: each reducer gets its bytes from all mappers, evenly. */
struct TraceCoflow
{
    /** One receiver. */
    struct Reducer
    {
        uint32_t port{0};
        uint64_t bytes{0}; //!< at least 1
    };

    uint64_t line{0}; //!< of the file, from 1
    Time submit;
    uint32_t id{0};                //!< given once
    std::vector<uint32_t> mappers; //!< ports, from 0
    std::vector<Reducer> reducers;
};

/** A file of jobs, or of coflows, as it was read. */
struct Trace
{
    std::string name;                //!< of the file
    std::string hash;                //!< HashText of the file, as it was read
    std::vector<std::string> models; //!< that jobs name, each once
    std::vector<TraceDetails> details;
    std::vector<TraceJob> jobs;       //!< by arrival; the jobs of a cojob arrive with its first one
    std::vector<TraceCoflow> coflows; //!< by arrival
    uint32_t ports{0};                //!< that coflows use, numbered from 0
};

} // namespace ns3::ddl

#endif // DDL_TRACE_H
