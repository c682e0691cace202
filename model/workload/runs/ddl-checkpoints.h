// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHECKPOINTS_H
#define DDL_CHECKPOINTS_H

#include "ddl-run-spec.h"

#include "ns3/ddl-stream-host.h"
#include "ns3/event-id.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * Checkpoints of a run on one machine. If the run continues a job, each machine with workers loads
 * the state of the job first. The leader saves the state. The storage sends and receives it. The
 * state is the same at all workers.
 *
 * Without a storage host, loading takes no time and saving takes RunSpec::save. With one, all
 * machines with a worker get the checkpoint from it at the same time when the run is launched; to
 * save, the leader sends it there after RunSpec::save. The storage sends as soon as it knows of the
 * run, perhaps before other machines know of it. It receives at any time.
 */
class Checkpoints
{
  public:
    struct Handlers
    {
        std::function<void()> loaded; //!< called when the state has arrived at this machine
        /** Called on the leader when the state after so many iterations has been saved. */
        std::function<void(uint64_t)> saved;
    };

    /**
     * Begins to load, if the machine has to. Only within a running simulation.
     *
     * \param run a run that has a part on this machine
     * \param streams the streams of this machine
     * \param mark mark of the streams that begin or end here
     * \param handlers functions that are called later, not from inside the constructor
     */
    Checkpoints(std::shared_ptr<const RunSpec> run,
                Ptr<StreamHost> streams,
                Mark mark,
                Handlers handlers);
    ~Checkpoints();
    Checkpoints(const Checkpoints&) = delete;
    Checkpoints& operator=(const Checkpoints&) = delete;

    /** \return whether this machine is still loading */
    bool IsLoading() const
    {
        return m_isLoading;
    }

    /**
     * Save the state after so many iterations, over all stages. Only the leader calls it, when the
     * save before has ended.
     */
    void Save(uint64_t iterations);

    /** Stop loading and saving; data in transit are lost. */
    void Close();

  private:
    void OpenStorage();
    void SendState();
    void NoteSaved();
    /** \param from, to numbers of the two ends in the stream's name */
    Ptr<SendingStream> Open(HostId destination, uint32_t from, uint32_t to);
    Ptr<ReceivingStream> Accept(HostId source, uint32_t from, uint32_t to);

    std::shared_ptr<const RunSpec> m_run;
    HostId m_machine;
    Ptr<StreamHost> m_streams;
    Mark m_mark;
    Handlers m_handlers;
    bool m_isLoading;
    uint64_t m_saving{0};                          //!< iterations done at the newest save
    EventId m_save;                                //!< end of RunSpec::save
    Ptr<SendingStream> m_toStorage;                //!< null unless this leader has saved before
    std::vector<Ptr<SendingStream>> m_opened;      //!< all streams that begin here
    std::vector<Ptr<ReceivingStream>> m_receiving; //!< all streams that end here
};

} // namespace ns3::ddl

#endif // DDL_CHECKPOINTS_H
