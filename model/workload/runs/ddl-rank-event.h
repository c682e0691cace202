// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANK_EVENT_H
#define DDL_RANK_EVENT_H

#include "ns3/ddl-ids.h"

#include <cstdint>

namespace ns3::ddl
{

/** An event of a run on one machine, for observers. */
struct RankEvent
{
    enum class Kind
    {
        LAUNCHED, //!< its ranks exist, and their streams are open
        STAGE,    //!< it received the start of a stage
        BEGAN,    //!< a worker has begun an iteration
        READY,    //!< a worker has something to send in it
        ASKED,    //!< a task requests a grant for its parameters or gradients
        COMPUTED, //!< a worker has computed all of it
        FINISHED, //!< a worker has finished it
        ADMITTED, //!< its ranks may send in it; of a task: it may move parameters or gradients
        LOADED,   //!< its checkpoint has been loaded
        SAVING,   //!< the leader begins to save the state after so many iterations
        SAVED,    //!< that is saved
        STOPPED,  //!< its ranks are gone, and its GPUs free
        FAILED    //!< the same, because the machine has failed
    };

    Kind kind{Kind::LAUNCHED};
    JobId job;
    uint32_t run{1};
    HostId machine;
    uint64_t iteration{
        0};            //!< from 0, over all stages; of STAGE, SAVING, SAVED: the one that follows
    uint32_t stage{0}; //!< of STAGE
};

} // namespace ns3::ddl

#endif // DDL_RANK_EVENT_H
