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
 * What one machine of a run does about the state of the job, which is the same at all workers: load
 * it before the run goes on, save it, or, on the storage, keep it.
 *
 * Without a storage nothing has to be loaded, and saving takes RunSpec::save. With one, each
 * machine with a worker gets the checkpoint from there, all of them at the same time, when the run
 * is launched; after RunSpec::save, the leader sends it there. The storage needs to be told nothing
 * but the run: it sends at once, perhaps before others know of the run, and takes what comes.
 */
class Checkpoints
{
  public:
    struct Handlers
    {
        std::function<void()> loaded;        //!< all that this machine needs has come
        std::function<void(uint64_t)> saved; //!< the state after so many iterations, over all
                                             //!< stages; called on the leader
    };

    /**
     * From inside a running simulation.
     *
     * \param run that has a part on the machine
     * \param streams of that machine
     * \param mark of the streams that begin or end here
     * \param handlers not called from inside the constructor
     */
    Checkpoints(std::shared_ptr<const RunSpec> run,
                Ptr<StreamHost> streams,
                Mark mark,
                Handlers handlers);
    ~Checkpoints();
    Checkpoints(const Checkpoints&) = delete;
    Checkpoints& operator=(const Checkpoints&) = delete;

    /** \return whether this machine waits for what it needs to go on */
    bool IsLoading() const
    {
        return m_isLoading;
    }

    /** Save the state after so many iterations, over all stages. On the leader; what was to be
     * saved before has been. */
    void Save(uint64_t iterations);

    /** Nothing is loaded or saved any more; what was under way is lost. */
    void Close();

  private:
    void OpenStorage();
    void SendState();
    void NoteSaved();
    Ptr<SendingStream> Open(HostId destination, const StreamName& name);
    Ptr<ReceivingStream> Accept(HostId source, const StreamName& name);
    StreamName NameTo(HostId machine) const;
    StreamName NameFrom(HostId machine) const;

    std::shared_ptr<const RunSpec> m_run;
    HostId m_machine;
    Ptr<StreamHost> m_streams;
    Mark m_mark;
    Handlers m_handlers;
    bool m_isLoading;
    uint64_t m_saving{0};                          //!< iterations of the newest Save
    EventId m_save;                                //!< end of the time that it takes
    Ptr<SendingStream> m_toStorage;                //!< of a leader that has saved; or null
    std::vector<Ptr<SendingStream>> m_opened;      //!< begin here, that one too
    std::vector<Ptr<ReceivingStream>> m_receiving; //!< end here
};

} // namespace ns3::ddl

#endif // DDL_CHECKPOINTS_H
