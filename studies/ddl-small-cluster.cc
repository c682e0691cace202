// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-small-cluster.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

namespace ns3::ddl
{

namespace
{

constexpr double NEVER = std::numeric_limits<double>::infinity();
constexpr double EPSILON = 1e-9;
constexpr uint32_t SPINES = 2;
constexpr uint32_t GPUS = 8; //!< per host

/** A job in the midst of an iteration. */
struct State
{
    double computed{0}; //!< time at which its computing ends
    double sends{0};    //!< time from which it may send
    double left{0};     //!< bytes left of each flow
    double busy{0};     //!< seconds computed in earlier iterations

    void Begin(const SmallJob& job, double now)
    {
        computed = now + job.compute;
        sends = now + job.sendsFrom * job.compute;
        left = job.bytes;
    }

    bool IsSending(double now) const
    {
        return left > EPSILON && sends <= now + EPSILON;
    }
};

/** Numbers links, and draws jobs onto hosts. */
class Drawing
{
  public:
    explicit Drawing(std::mt19937_64& random)
        : m_random(random),
          m_racks(Draw(2, 4)),
          m_hosts(m_racks * Draw(2, 5)),
          m_free(m_hosts, GPUS)
    {
    }

    SmallCluster Make()
    {
        SmallCluster cluster;
        cluster.rates.assign(2 * m_hosts + 2 * SPINES * m_racks, 1);
        for (uint32_t jobs = Draw(3, 5); jobs > 0; --jobs)
        {
            AddJob(cluster);
        }
        return cluster;
    }

  private:
    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return least + static_cast<uint32_t>(m_random() % (most - least + 1));
    }

    double DrawReal(double least, double most)
    {
        return std::uniform_real_distribution<double>(least, most)(m_random);
    }

    void AddJob(SmallCluster& cluster)
    {
        const uint32_t gpus = 4 * Draw(1, 2);
        std::vector<uint32_t> hosts(m_hosts);
        std::iota(hosts.begin(), hosts.end(), 0);
        std::shuffle(hosts.begin(), hosts.end(), m_random);
        hosts.erase(std::remove_if(hosts.begin(),
                                   hosts.end(),
                                   [&](uint32_t host) { return m_free[host] < gpus; }),
                    hosts.end());
        hosts.resize(std::min<std::size_t>(hosts.size(), Draw(2, 4)));
        if (hosts.size() < 2)
        {
            return;
        }
        SmallJob job;
        job.gpus = gpus * static_cast<uint32_t>(hosts.size());
        job.compute = DrawReal(0.5, 4);
        job.sendsFrom = Draw(0, 1) == 0 ? 1 : 0.5;
        job.bytes = DrawReal(0.2, 1) * job.compute;
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            m_free[hosts[i]] -= gpus;
            job.flows.push_back(ListPaths(hosts[i], hosts[(i + 1) % hosts.size()]));
        }
        cluster.jobs.push_back(job);
    }

    std::vector<std::vector<uint32_t>> ListPaths(uint32_t from, uint32_t to) const
    {
        const uint32_t fromRack = from % m_racks;
        const uint32_t toRack = to % m_racks;
        if (fromRack == toRack)
        {
            return {{2 * from, 2 * to + 1}};
        }
        std::vector<std::vector<uint32_t>> paths;
        for (uint32_t spine = 0; spine < SPINES; ++spine)
        {
            const uint32_t up = 2 * m_hosts + 2 * (fromRack * SPINES + spine);
            const uint32_t down = 2 * m_hosts + 2 * (toRack * SPINES + spine) + 1;
            paths.push_back({2 * from, up, down, 2 * to + 1});
        }
        return paths;
    }

    std::mt19937_64& m_random;
    uint32_t m_racks;
    uint32_t m_hosts;
    std::vector<uint32_t> m_free; //!< GPUs, by host
};

} // namespace

uint32_t
SmallCluster::CountChoices() const
{
    uint32_t choices = 0;
    for (const SmallJob& job : jobs)
    {
        for (const auto& paths : job.flows)
        {
            choices += paths.size() > 1 ? 1 : 0;
        }
    }
    return choices;
}

SchedulerView
SmallCluster::AsView() const
{
    SchedulerView view;
    view.linkRates = rates;
    for (uint32_t i = 0; i < jobs.size(); ++i)
    {
        UnitView unit;
        unit.cojob = {i + 1};
        unit.job = {i + 1};
        unit.active = true;
        unit.each.compute = jobs[i].compute;
        unit.each.work = jobs[i].compute * jobs[i].gpus;
        unit.each.sendsFrom = jobs[i].sendsFrom;
        for (const auto& paths : jobs[i].flows)
        {
            unit.each.flows.push_back(
                {jobs[i].bytes,
                 std::make_shared<const std::vector<std::vector<uint32_t>>>(paths),
                 0});
        }
        view.units.push_back(unit);
    }
    return view;
}

SmallCluster
DrawSmallCluster(std::mt19937_64& random, uint32_t mostChoices)
{
    for (;;)
    {
        const SmallCluster cluster = Drawing(random).Make();
        const uint32_t choices = cluster.CountChoices();
        if (cluster.jobs.size() >= 3 && choices > 0 && choices <= mostChoices)
        {
            return cluster;
        }
    }
}

SmallClusterModel::SmallClusterModel(const SmallCluster& cluster, const PathChoice& paths)
    : m_cluster(cluster),
      m_flows(cluster.jobs.size(), std::vector<double>(cluster.rates.size(), 0))
{
    for (std::size_t job = 0; job < cluster.jobs.size(); ++job)
    {
        const auto& flows = cluster.jobs[job].flows;
        for (std::size_t flow = 0; flow < flows.size(); ++flow)
        {
            for (const uint32_t link : flows[flow].at(paths[job][flow]))
            {
                m_flows[job][link] += 1;
            }
        }
    }
}

bool
SmallClusterModel::Share(uint32_t a, uint32_t b) const
{
    for (std::size_t link = 0; link < m_cluster.rates.size(); ++link)
    {
        if (m_flows[a][link] > 0 && m_flows[b][link] > 0)
        {
            return true;
        }
    }
    return false;
}

double
SmallClusterModel::GetTransfer(uint32_t job) const
{
    double most = 0;
    for (std::size_t link = 0; link < m_cluster.rates.size(); ++link)
    {
        most =
            std::max(most, m_flows[job][link] * m_cluster.jobs[job].bytes / m_cluster.rates[link]);
    }
    return most;
}

/**
 * \param sending set of the jobs that send, a bit each
 * \return rate of each flow of each job, level by level, those of one level raised together until a
 *         link is full
 */
std::vector<double>
SmallClusterModel::GetRates(const std::vector<uint32_t>& levels, uint32_t sending) const
{
    std::vector<double> left = m_cluster.rates;
    std::vector<double> rates(levels.size(), 0);
    for (uint32_t level = 0; level < levels.size(); ++level)
    {
        std::vector<uint32_t> rising;
        for (uint32_t job = 0; job < levels.size(); ++job)
        {
            if (levels[job] == level && (sending >> job & 1) != 0)
            {
                rising.push_back(job);
            }
        }
        while (!rising.empty())
        {
            double step = NEVER;
            for (std::size_t link = 0; link < left.size(); ++link)
            {
                double flows = 0;
                for (const uint32_t job : rising)
                {
                    flows += m_flows[job][link];
                }
                step = flows > 0 ? std::min(step, left[link] / flows) : step;
            }
            for (const uint32_t job : rising)
            {
                rates[job] += step;
                for (std::size_t link = 0; link < left.size(); ++link)
                {
                    left[link] = std::max(0.0, left[link] - step * m_flows[job][link]);
                }
            }
            rising.erase(std::remove_if(rising.begin(),
                                        rising.end(),
                                        [&](uint32_t job) {
                                            for (std::size_t link = 0; link < left.size(); ++link)
                                            {
                                                if (m_flows[job][link] > 0 && left[link] < EPSILON)
                                                {
                                                    return true;
                                                }
                                            }
                                            return false;
                                        }),
                         rising.end());
        }
    }
    return rates;
}

double
SmallClusterModel::GetUtilisation(const std::vector<uint32_t>& levels) const
{
    constexpr double ITERATIONS = 60; // of the slowest job alone
    const auto& jobs = m_cluster.jobs;
    double longest = 0;
    std::vector<State> states(jobs.size());
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        states[job].Begin(jobs[job], 0);
        longest = std::max(longest, jobs[job].compute + GetTransfer(job));
    }
    const double end = ITERATIONS * longest;
    std::vector<std::vector<double>> known(std::size_t{1} << jobs.size()); // rates by who sends
    for (double now = 0; now < end;)
    {
        uint32_t sending = 0;
        for (uint32_t job = 0; job < jobs.size(); ++job)
        {
            sending |= (states[job].IsSending(now) ? 1U : 0U) << job;
        }
        auto& rates = known[sending];
        if (rates.empty())
        {
            rates = GetRates(levels, sending);
        }
        double next = end;
        for (uint32_t job = 0; job < jobs.size(); ++job)
        {
            const State& state = states[job];
            next = state.sends > now + EPSILON ? std::min(next, state.sends) : next;
            next = state.computed > now + EPSILON ? std::min(next, state.computed) : next;
            next = rates[job] > EPSILON ? std::min(next, now + state.left / rates[job]) : next;
        }
        for (uint32_t job = 0; job < jobs.size(); ++job)
        {
            State& state = states[job];
            state.left = std::max(0.0, state.left - rates[job] * (next - now));
            if (state.left <= EPSILON && state.computed <= next + EPSILON)
            {
                state.busy += jobs[job].compute;
                state.Begin(jobs[job], next);
            }
        }
        now = next;
    }
    double busy = 0;
    double all = 0;
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        const double begun = states[job].computed - jobs[job].compute;
        busy += jobs[job].gpus * (states[job].busy + std::min(jobs[job].compute, end - begun));
        all += jobs[job].gpus * end;
    }
    return busy / all;
}

} // namespace ns3::ddl
