// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_USAGE_H
#define DDL_JOB_USAGE_H

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Quantities that an estimator predicts for a rank, and that are measured when its job is done. */
enum class UsageLabel
{
    GPU_UTILISATION,           //!< compute time over training time, 0 to 1
    GPU_UTILISATION_DEVIATION, //!< standard deviation over iterations of the GPU utilisation
    GPU_MEMORY,                //!< memory on its GPU, bytes
    RECEIVE_RATE,              //!< mean bytes received per second of training time
    SEND_RATE                  //!< mean bytes sent per second of training time
};

constexpr std::size_t USAGE_LABELS = 5;

/** The values of a rank, by UsageLabel. */
using RankUsage = std::array<double, USAGE_LABELS>;

/** \return the value of a label in a rank's usage */
inline double
Get(const RankUsage& usage, UsageLabel label)
{
    return usage[static_cast<std::size_t>(label)];
}

inline double&
Get(RankUsage& usage, UsageLabel label)
{
    return usage[static_cast<std::size_t>(label)];
}

/** Usage of each worker, and of each parameter server, of a job. */
struct JobUsage
{
    RankUsage worker{};
    RankUsage server{}; //!< usage of each parameter server; 0 without them
};

/**
 * \return usage that Liquid's program assumes before its forests are trained: a whole GPU, 8192 MB
 *         of its memory, and 100 kB/s (a network weight of 1)
 */
inline JobUsage
MakeDefaultUsage()
{
    const RankUsage usage{1, 0, 8192e6, 1e5, 1e5};
    return {usage, usage};
}

/** One predicted quantity of a job: its name in tables, its kind of rank, and its label. */
struct JobLabel
{
    std::string name; //!< name in tables: "worker_receive_bytes_per_s"
    bool isServer;
    UsageLabel label;
};

/** \return all labels of a job, with or without parameter servers, those of its workers first */
inline std::vector<JobLabel>
ListLabels(bool hasServers)
{
    const std::array<const char*, USAGE_LABELS> names{"gpu_utilisation",
                                                      "gpu_utilisation_deviation",
                                                      "gpu_memory_bytes",
                                                      "receive_bytes_per_s",
                                                      "send_bytes_per_s"};
    std::vector<JobLabel> labels;
    for (const bool isServer : {false, true})
    {
        for (std::size_t i = 0; i < USAGE_LABELS && (hasServers || !isServer); ++i)
        {
            labels.push_back({(isServer ? "server_" : "worker_") + std::string(names[i]),
                              isServer,
                              static_cast<UsageLabel>(i)});
        }
    }
    return labels;
}

} // namespace ns3::ddl

#endif // DDL_JOB_USAGE_H
