// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANK_EVENT_H
#define DDL_RANK_EVENT_H

#include "ns3/ddl-ids.h"

#include <cstdint>

namespace ns3::ddl
{

/** Something that happened to a run on one machine, for those who watch. */
struct RankEvent
{
    enum class Kind
    {
        LAUNCHED, //!< its ranks are there, and what they send over is open
        STAGE,    //!< it was told to start a stage
        BEGAN,    //!< a worker has begun an iteration
        READY,    //!< a worker has something to send in it
        ASKED,    //!< a task waits for leave to move its parameters or gradients
        COMPUTED, //!< a worker has computed all of it
        FINISHED, //!< a worker has all that it needs of it
        ADMITTED, //!< its ranks may send in it; of a task: it may move what it waits to
        LOADED,   //!< what it needs to go on has been loaded
        SAVING,   //!< the leader begins to save what so many iterations have come to
        SAVED,    //!< that is saved
        STOPPED,  //!< its ranks are gone, and its GPUs free
        FAILED    //!< the same, as the machine has failed
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
