// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SLOTTED_CLUSTER_H
#define DDL_SLOTTED_CLUSTER_H

#include "ddl-slotted-jobs.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** How transfers start, and what they cost. */
struct SlottedOptions
{
    uint32_t others{0};      //!< a transfer starts beside so many others at most
    bool isAdaDual{false};   //!< with others 1: only if Theorem 2 says so
    bool asksForFree{false}; //!< asking for the rest of a transfer moves it on, see below
    double memory{16000};    //!< of a GPU, MB
    double eta{0.235};       //!< ms a MB, for each further transfer
};

/** What came of a run, in the paper's seconds. */
struct SlottedResult
{
    std::vector<double> jct;
    double makespan{0};
    double utilisation{0}; //!< of the GPUs
};

/**
 * Ada-SRSF's own simulation (Algorithm 1 to 3), in slots of 1 ms and with iterations / 100, from
 * the paper and the program to which its footnote 1 leads: LWF-1, SRSF, one forward and one
 * backward task a GPU and iteration; a transfer between machines takes k b + (k - 1) eta a MB,
 * whatever the number of GPUs, where k is the most transfers at any of its machines.
 *
 * `asksForFree` is what that program does: AdaDUAL's question for the rest of the old transfer adds
 * the time since the last slot to what was transferred, and the slot's own account adds it again.
 * So an old transfer moves at twice its speed while one waits for it, at thrice while two do.
 */
class SlottedCluster
{
  public:
    /** \param seed of models, iterations and arrivals of the 160 jobs (§V-A) */
    SlottedCluster(uint32_t seed, SlottedOptions options);
    SlottedResult Run();

  private:
    static constexpr uint32_t MACHINES = 16;
    static constexpr uint32_t GPUS = 4;           //!< of a machine
    static constexpr double LOAD_PER_MB = 7.8125; //!< ms, what placement reckons of a transfer

    struct Gpu
    {
        double room{0}, load{0};
        std::vector<std::pair<uint32_t, uint32_t>> members; //!< job, worker
        int64_t end{-1};
        std::pair<uint32_t, uint32_t> current;
        int64_t busy{0};
    };

    void EndTasks();
    void EndTransfers();
    void EndIteration(uint32_t job);
    void PlaceJobs();
    bool Place(uint32_t job);
    std::vector<uint32_t> ChooseGpus(const SlottedJob& job);
    void StartTransfers();
    bool MayStart(const SlottedJob& job);
    double AskForRest(SlottedJob& job);
    void UpdateSpeeds();
    void StartTasks();

    SlottedOptions m_options;
    std::vector<SlottedJob> m_jobs;
    std::vector<Gpu> m_gpus;
    std::vector<std::vector<uint32_t>> m_transfers; //!< jobs that send, by machine
    std::vector<uint32_t> m_nodeOrder;
    std::vector<uint32_t> m_queue, m_running;
    uint32_t m_done{0};
    int64_t m_now{0};
    SlottedResult m_result;
};

} // namespace ns3::ddl

#endif // DDL_SLOTTED_CLUSTER_H
