// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STAGE_BOOK_H
#define DDL_STAGE_BOOK_H

#include "ddl-observed-records.h"

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** Records the current stage of a cojob: when it really began and ended, and the bytes it moved. */
class StageBook
{
  public:
    /** What a job has given to streams before the stage. */
    struct Participant
    {
        JobId job;
        uint64_t bytesBefore{0};
    };

    StageBook(CojobId cojob, Time release);

    /** The next stage is about to start. The one before is over. */
    void Begin(uint32_t stage, const std::vector<Participant>& jobs);

    /** A job's first rank began. \return the record when it is the first one of the stage */
    std::optional<StageRecord> NoteStart(Time now);

    /** A job has finished the stage. \return the record when it is the last one of the stage */
    std::optional<StageRecord> NoteEnd(JobId job, uint64_t bytes, Time now);

    /** \return the present stage, from 1; 0 before the first */
    uint32_t GetStage() const
    {
        return m_stage;
    }

    /** \return true while that job is in the stage */
    bool IsIn(JobId job) const;

  private:
    StageRecord m_record;
    uint32_t m_stage{0};
    bool m_started{false};
    std::map<JobId, uint64_t> m_in; //!< jobs in the stage, with their bytes before it
};

} // namespace ns3::ddl

#endif // DDL_STAGE_BOOK_H
