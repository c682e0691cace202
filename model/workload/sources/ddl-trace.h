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

constexpr uint32_t NOT_GIVEN = std::numeric_limits<uint32_t>::max(); //!< for unknown values

/** Details of a job that only some traces have. */
struct TraceDetails
{
    std::vector<uint64_t> stages;   //!< iterations of each stage; empty: one stage
    uint32_t servers{NOT_GIVEN};    //!< number of parameter servers
    std::vector<CurvePoint> points; //!< measured accuracy and loss; empty: not measured
};

/** A job of a trace. Small, since there may be many. */
struct TraceJob
{
    uint64_t line{0}; //!< number of its line in the file, from 1
    Time submit;
    Time duration;                  //!< time for which it runs alone; 0: not given
    uint32_t id{0};                 //!< number of the job, which no other has
    uint32_t cojob{NOT_GIVEN};      //!< number of its cojob
    uint32_t gpus{1};               //!< number of GPUs, with one worker each
    uint64_t iterations{NOT_GIVEN}; //!< iterations; if not given, stages or the duration are
    uint32_t model{NOT_GIVEN};      //!< index into Trace::models
    uint32_t details{NOT_GIVEN};    //!< index into Trace::details
    uint32_t graph{NOT_GIVEN};      //!< index into Trace::graphs
};

/** A coflow of one-way transfers: each reducer gets its bytes from all mappers, evenly. */
struct TraceCoflow
{
    /** One receiver. */
    struct Reducer
    {
        uint32_t port{0};
        uint64_t bytes{0}; //!< bytes that it receives, at least 1
    };

    uint64_t line{0}; //!< number of its line in the file, from 1
    Time submit;
    uint32_t id{0};                //!< number of the coflow, which no other has
    std::vector<uint32_t> mappers; //!< ports of the senders, from 0
    std::vector<Reducer> reducers;
};

/** The contents of a file of jobs, or of coflows. */
struct Trace
{
    std::string name;                //!< name of the file
    std::string hash;                //!< HashText of the text, as it was read
    std::vector<std::string> notes;  //!< how many jobs were left out or changed, and why
    std::vector<std::string> models; //!< names of models in the jobs, each once
    std::vector<std::string> graphs; //!< names of task graphs in the jobs, each once
    std::vector<TraceDetails> details;
    std::vector<TraceJob> jobs;       //!< jobs by arrival; those of a cojob arrive with its first
    std::vector<TraceCoflow> coflows; //!< coflows by arrival
    uint32_t ports{0};                //!< number of ports that coflows use
};

} // namespace ns3::ddl

#endif // DDL_TRACE_H
