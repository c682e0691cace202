// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-slotted-jobs.h"

#include <random>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr int64_t WINDOW = 12000; //!< ms in which jobs arrive

struct Model
{
    double size, memory;
    int64_t forward, backward;
};

constexpr Model MODELS[] = {{526.4, 4527, 36, 54},
                            {99.2, 3213, 25, 37},
                            {103.0, 3291, 35, 52},
                            {251.8, 2751, 32, 47}};
constexpr std::pair<uint32_t, uint32_t> SIZES[] =
    {{1, 80}, {2, 14}, {4, 26}, {8, 30}, {16, 8}, {32, 2}};

} // namespace

std::vector<SlottedJob>
MakeSlottedJobs(uint32_t seed)
{
    std::vector<SlottedJob> made;
    std::mt19937_64 random(seed);
    for (const auto& [workers, jobs] : SIZES)
    {
        for (uint32_t i = 0; i < jobs; ++i)
        {
            const Model& model = MODELS[random() % 4];
            SlottedJob job;
            job.workers = workers;
            job.iterations = 10 + static_cast<uint32_t>(random() % 51);
            job.size = model.size;
            job.memory = model.memory;
            job.task[0] = model.forward;
            job.task[1] = model.backward;
            job.arrival = static_cast<int64_t>(random() % WINDOW);
            job.phase.assign(workers, 0);
            job.left = static_cast<double>(job.iterations) * workers * (job.task[0] + job.task[1]);
            made.push_back(job);
        }
    }
    return made;
}

} // namespace ns3::ddl
