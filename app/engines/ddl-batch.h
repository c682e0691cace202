// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BATCH_H
#define DDL_BATCH_H

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A task for a batch system: a script that carries out some runs, one after the other. */
struct BatchTask
{
    std::size_t number{0};
    std::vector<std::size_t> runs; //!< indices of the runs, in the order in which they go
    double seconds{0};             //!< expected CPU time
    double memoryMb{0};            //!< expected largest resident memory, 10^6 bytes
    unsigned timeFactor{1};        //!< 2 after it was killed for its time
    unsigned memoryFactor{1};      //!< 2 after a run was killed for its memory
    unsigned losses{0};            //!< how many times its machine went away
    std::string handle;            //!< name that the batch system gave it; "": not submitted
    std::filesystem::path script;  //!< the script; may be run twice: it leaves out what is done
    std::filesystem::path log;     //!< file for what the batch system says about it

    /** \return minutes to ask for: twice the expected time, and ten more to begin */
    unsigned GetMinutes() const;
    /** \return memory to ask for, in MiB: half as much again as expected, and 256 more */
    unsigned GetMegabytes() const;
};

/** How a task is doing. */
enum class TaskState
{
    ALIVE,         //!< it waits, runs, or nobody knows at the moment
    OVER,          //!< it has ended, well or not
    OUT_OF_TIME,   //!< it was killed for its time
    OUT_OF_MEMORY, //!< it was killed for its memory
    LOST,          //!< its machine went away, or was given to somebody else
    CANCELLED      //!< somebody has cancelled it
};

/** A batch system: takes tasks, and says how they are doing. */
class Batch
{
  public:
    static constexpr std::size_t ANY_NUMBER = std::numeric_limits<std::size_t>::max();

    Batch() = default;
    virtual ~Batch() = default;
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    /** \return name of the batch system, in errors and `state.json`: tasks of one name can be
     * looked at by any object of that name */
    virtual std::string GetName() const = 0;
    /** \return least number of tasks that a study should have if it has enough runs; 0: any */
    virtual std::size_t CountWanted() = 0;
    /** \return how many more tasks it would take now */
    virtual std::size_t CountFree() = 0;
    /**
     * Submit tasks. Those that it took have a handle afterwards.
     *
     * \param tasks tasks, at most as many as CountFree(), longest first
     * \param folder folder of the study's tasks, for files of its own
     * \throws RunError when it refuses them for good
     */
    virtual void Submit(const std::vector<BatchTask*>& tasks,
                        const std::filesystem::path& folder) = 0;
    /** \return how submitted tasks are doing, in their order */
    virtual std::vector<TaskState> Look(const std::vector<const BatchTask*>& tasks) = 0;
    /** Cancel submitted tasks, and wait some time until they are over. */
    virtual void Cancel(const std::vector<const BatchTask*>& tasks) = 0;
    /** \return seconds between two looks; asking more often would load a shared server */
    virtual double GetInterval() const = 0;

    /** \return seconds after the end of a task in which its last files may still appear */
    virtual double GetLag() const
    {
        return 10;
    }

    /** \return true if tasks go on when this program has ended */
    virtual bool CanDetach() const
    {
        return true;
    }
};

} // namespace ns3::ddl

#endif // DDL_BATCH_H
