// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_LEADER_H
#define DDL_RUN_LEADER_H

#include "ddl-control-message.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace ns3::ddl
{

/**
 * The leader of a run: it receives reports of the progress of the workers on each machine, and
 * reports the progress of the job to the coordinator. A job that pauses is saved before the
 * coordinator receives the report.
 */
class RunLeader
{
  public:
    using Teller = std::function<void(const ControlMessage&)>;
    using Saver = std::function<void(uint64_t)>;

    /**
     * \param tell sends a message to the coordinator
     * \param save saves the state after so many iterations, followed by NoteSaved, perhaps at once
     */
    RunLeader(std::shared_ptr<const RunSpec> run, Teller tell, Saver save);

    /** The leader's own machine has received the start of that stage. */
    void StartStage(uint32_t stage, uint64_t iterations);
    /** The leader's own machine has received the order to stop before that iteration, from 0. */
    void StopBefore(uint64_t iteration);
    /** A machine, perhaps the leader's own, has reported the progress of its workers. */
    void Note(const WorkersReport& report);
    /** The state after so many iterations is saved; perhaps others have not finished them yet. */
    void NoteSaved(uint64_t iterations);

    /** \return current or last stage, from 1; 0 before the first */
    uint32_t GetStage() const
    {
        return m_stage;
    }

  private:
    void NoteFinished(uint64_t iteration);
    void CheckStopped();
    void CheckSaved();

    std::shared_ptr<const RunSpec> m_run;
    Teller m_tell;
    Saver m_save;
    uint32_t m_stage{0};
    uint64_t m_end;                          //!< the iteration behind the present stage
    uint64_t m_done;                         //!< iterations that all machines have finished
    uint64_t m_sending{0};                   //!< newest iteration reported to the coordinator
    std::map<uint64_t, uint32_t> m_ready;    //!< machines that are ready to send, by iteration
    std::map<uint64_t, uint32_t> m_finished; //!< machines that have finished, by iteration
    std::optional<uint64_t> m_stop;          //!< StopBefore's iteration, until that is reached
    bool m_isPausing{false};                 //!< whether it pauses and has not reported that
    uint64_t m_kept{0};                      //!< iterations that the coordinator knows to be saved
    std::set<uint64_t> m_saved;              //!< iterations whose state is saved, and not reported
};

} // namespace ns3::ddl

#endif // DDL_RUN_LEADER_H
