// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_STATE_H
#define DDL_JOB_STATE_H

#include "ddl-iteration-log.h"
#include "ddl-job.h"
#include "ddl-rank-app.h"
#include "ddl-rank-channel.h"

#include "ns3/ddl-rank-plan.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace ddl
{

/** What a job keeps; for the files that implement Job alone. */
struct Job::State
{
    State(const JobSpec& spec, CojobId cojob, const Placement& placement)
        : spec(spec),
          cojob(cojob),
          placement(placement),
          taskTime(spec.model.forward + spec.model.backward),
          log(spec.workers)
    {
    }

    /** What a machine was told. */
    struct HostState
    {
        std::vector<uint32_t> ranks;
        uint32_t stage{0};
        bool stopped{false};
    };

    JobSpec spec;
    CojobId cojob;
    Placement placement;
    JobPlan plan;
    std::vector<HostId> rankHosts; //!< by rank
    std::vector<HostId> hosts;
    std::vector<HostBytes> hostBytes;
    std::map<HostId, HostState> told;
    Time taskTime;          //!< of the slowest worker, without noise
    Time communication;     //!< of an iteration, through the busiest NIC; 0 before Launch
    uint64_t iterations{0}; //!< planned, of all stages

    Ptr<Cluster> cluster; //!< null before Launch and when stopped
    std::vector<Ptr<RankApp>> ranks;
    std::vector<std::unique_ptr<RankChannel>> channels;
    std::vector<StreamInfo> streams;

    IterationLog log;
    uint32_t stage{0};
    uint32_t stageBegin{0}; //!< iterations in the stages before
    uint32_t stageEnd{0};   //!< and with this one
    bool launched{false};
    bool gated{false};    //!< needs leave to communicate
    uint32_t asked{0};    //!< newest iteration, from 1, that asked for it
    bool held{false};     //!< the leader's machine waits for it
    bool admitted{false}; //!< some machine has got it
    Time heldSince;       //!< when it asked
    Time gateWait;        //!< sum of the leader's waiting times
    bool stopped{false};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_JOB_STATE_H
