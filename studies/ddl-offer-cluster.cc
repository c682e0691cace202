// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-cluster.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double CHECKPOINT = 1;  //!< time of a checkpoint, seconds per GPU that is given back
constexpr double NEXT_LOOK = 60;  //!< seconds to the next offer if nothing else happens
constexpr double LEAST_RACK = 6;  //!< least time that a job waits for a server, leases
constexpr double LEAST_AWAY = 12; //!< least time that a job waits for a rack, leases
constexpr double MOST_RACK = 0.8; //!< longest time that a job waits for a server, over the history
constexpr uint32_t NOBODY = UINT32_MAX;

/** Waits, in leases, of the jobs of one size that got one server (one rack). */
class OfferWaits
{
  public:
    void Add(double now, double wait, double oldest)
    {
        if (wait < 1)
        {
            return;
        }
        m_waits.emplace_back(now, wait);
        while (m_waits.front().first < oldest)
        {
            m_waits.pop_front();
        }
    }

    /** \return mean + 2 standard deviations (Algorithm 2), of a population; 1 without waits */
    double GetTimer() const
    {
        if (m_waits.empty())
        {
            return 1;
        }
        const auto count = static_cast<double>(m_waits.size());
        double mean = 0;
        for (const auto& entry : m_waits)
        {
            mean += entry.second / count;
        }
        double variance = 0;
        for (const auto& entry : m_waits)
        {
            variance += (entry.second - mean) * (entry.second - mean) / count;
        }
        return mean + 2 * std::sqrt(variance);
    }

  private:
    std::deque<std::pair<double, double>> m_waits; //!< end and length of each wait, leases
};

/** The simulation that RunOffers runs. */
class OfferCluster
{
  public:
    OfferCluster(const std::vector<OfferJob>& jobs,
                 const OfferOptions& options,
                 const OfferSpeed& speed)
        : m_options(options),
          m_speed(speed),
          m_owners(options.racks * options.servers * options.gpus, NOBODY),
          m_freeOfServer(options.racks * options.servers, options.gpus),
          m_freeOfRack(options.racks, options.servers * options.gpus),
          m_free(static_cast<uint32_t>(m_owners.size()))
    {
        if (m_options.serverOrder.empty())
        {
            m_options.serverOrder.resize(m_freeOfServer.size());
            std::iota(m_options.serverOrder.begin(), m_options.serverOrder.end(), 0);
        }
        for (const OfferJob& job : jobs)
        {
            m_jobs.emplace_back();
            m_jobs.back().spec = job;
            m_jobs.back().left = static_cast<double>(job.iterations);
            m_events.emplace(0, Event::OFFER, 0); // each arrival asks for an offer
        }
    }

    OfferResult Run()
    {
        while (m_done < m_jobs.size())
        {
            if (m_events.empty())
            {
                m_events.emplace(m_now + NEXT_LOOK, Event::OFFER, 0);
            }
            const auto [time, event, job] = m_events.top();
            m_events.pop();
            Advance(time);
            event == Event::END ? EndRun(job) : Offer();
        }
        OfferResult result;
        result.makespan = m_now;
        result.meanHeld = m_held / m_now;
        result.meanComputing = m_computed / m_now;
        for (const Job& job : m_jobs)
        {
            result.jct.push_back(job.end);
        }
        return result;
    }

  private:
    enum class Event
    {
        END, // ends come before offers at the same instant
        OFFER
    };

    struct Job
    {
        OfferJob spec;
        double left{0}; //!< iterations left
        bool isRunning{false};
        double since{0};             //!< when its wait or its run began
        double service{0};           //!< GPU seconds of all its blocks
        double ran{0};               //!< seconds of all its blocks
        double computed{0};          //!< seconds that it computed in them
        double block{0};             //!< length of a block of this run, seconds
        double blocks{0};            //!< number of blocks of this run
        double forgotten{-1};        //!< last block of this run in which it won GPUs; -1: none
        double won{0};               //!< when it won these GPUs
        std::vector<uint32_t> gpus;  //!< GPUs on which it computes
        std::vector<uint32_t> extra; //!< GPUs that it won in block `forgotten`
        double end{0};
    };

    void Advance(double time)
    {
        m_held += (time - m_now) * static_cast<double>(m_owners.size() - m_free);
        m_computed += (time - m_now) * m_computing;
        m_now = time;
    }

    /** \return number of blocks of this run that have ended */
    double CountBlocks(const Job& job) const
    {
        constexpr double ROUNDING = 1e-9;
        return std::floor((m_now - job.since) / job.block * (1 + ROUNDING));
    }

    double GetComputing(const Job& job) const
    {
        return m_options.block * job.spec.seconds;
    }

    /** \return rank of a job; jobs of lower rank are asked earlier */
    double GetRank(const Job& job) const
    {
        const double blocks = job.isRunning ? CountBlocks(job) : 0;
        if (!m_options.isDally)
        {
            return job.service + blocks * job.block * job.spec.gpus;
        }
        const double ran = job.ran + blocks * job.block;
        return ran > 0 ? (job.computed + blocks * GetComputing(job)) / ran : 0;
    }

    bool Bids(const Job& job) const
    {
        if (!job.isRunning)
        {
            return job.left > 0;
        }
        return m_options.allBid && job.forgotten < CountBlocks(job);
    }

    void Offer()
    {
        std::vector<std::tuple<double, double, uint32_t>> bids; // rank, since, job
        for (uint32_t number = 0; number < m_jobs.size(); ++number)
        {
            if (m_jobs[number].spec.gpus <= m_free && Bids(m_jobs[number]))
            {
                bids.emplace_back(GetRank(m_jobs[number]), m_jobs[number].since, number);
            }
        }
        std::sort(bids.begin(), bids.end());
        for (const auto& bid : bids)
        {
            const uint32_t number = std::get<2>(bid);
            std::vector<uint32_t> gpus = Choose(m_jobs[number]);
            if (gpus.empty())
            {
                continue;
            }
            for (const uint32_t gpu : gpus)
            {
                SetOwner(gpu, number);
            }
            m_jobs[number].isRunning ? Forget(number, std::move(gpus))
                                     : Start(number, std::move(gpus));
        }
    }

    void SetOwner(uint32_t gpu, uint32_t owner)
    {
        const int32_t change = owner == NOBODY ? 1 : -1;
        m_owners[gpu] = owner;
        m_free += change;
        m_freeOfServer[gpu / m_options.gpus] += change;
        m_freeOfRack[gpu / m_options.gpus / m_options.servers] += change;
    }

    /** Apply the slip: the job owns the GPUs, and will never compute on them. */
    void Forget(uint32_t number, std::vector<uint32_t> gpus)
    {
        Job& job = m_jobs[number];
        job.forgotten = CountBlocks(job);
        job.won = m_now;
        job.extra = std::move(gpus);
    }

    void Start(uint32_t number, std::vector<uint32_t> gpus)
    {
        Job& job = m_jobs[number];
        job.isRunning = true;
        job.since = m_now;
        job.forgotten = -1;
        job.gpus = std::move(gpus);
        job.block = GetComputing(job) / GetSpeed(job, job.gpus);
        // the run lasts until another block would outlast the lease
        const double workers = job.spec.gpus;
        const double fitting = std::floor(m_options.lease / job.block - 1 / workers) + 1;
        const double needed = std::ceil(job.left / (m_options.block * workers));
        job.blocks = std::min(std::max(fitting, 1.0), needed);
        m_computing += workers;
        m_events.emplace(m_now + job.blocks * job.block, Event::END, number);
    }

    void EndRun(uint32_t number)
    {
        Job& job = m_jobs[number];
        const double workers = job.spec.gpus;
        const double took = job.blocks * job.block;
        job.isRunning = false;
        job.ran += took;
        job.computed += job.blocks * GetComputing(job);
        job.service += took * workers;
        job.left = std::max(0.0, job.left - job.blocks * m_options.block * workers);
        m_computing -= workers;
        double pause = took >= m_options.lease ? workers : 0; // GPUs to checkpoint before the offer
        if (job.left == 0)
        {
            for (uint32_t gpu = 0; gpu < m_owners.size(); ++gpu)
            {
                if (m_owners[gpu] == number && !Contains(job.gpus, gpu))
                {
                    job.gpus.push_back(gpu);
                }
            }
            pause = static_cast<double>(job.gpus.size());
            ++m_done;
            job.end = m_now;
        }
        else if (took >= m_options.lease && job.forgotten == job.blocks - 1)
        {
            GiveExtraBack(job);
        }
        for (const uint32_t gpu : job.gpus)
        {
            SetOwner(gpu, NOBODY);
        }
        m_events.emplace(m_now + CHECKPOINT * pause, Event::OFFER, 0);
        job.since = m_now;
        job.gpus.clear();
    }

    static bool Contains(const std::vector<uint32_t>& gpus, uint32_t gpu)
    {
        return std::find(gpus.begin(), gpus.end(), gpu) != gpus.end();
    }

    /** After a block that outlasted the lease, free extra GPUs whose lease would be over, too. */
    void GiveExtraBack(Job& job)
    {
        const double next = GetComputing(job) / GetSpeed(job, job.extra) / job.spec.gpus;
        if (m_now + next > job.won + m_options.lease)
        {
            job.gpus.insert(job.gpus.end(), job.extra.begin(), job.extra.end());
        }
    }

    double GetSpeed(const Job& job, const std::vector<uint32_t>& gpus) const
    {
        if (gpus.size() == 1)
        {
            return 1;
        }
        std::set<uint32_t> halves, servers, racks;
        for (const uint32_t gpu : gpus)
        {
            halves.insert(gpu * 2 / m_options.gpus);
            servers.insert(gpu / m_options.gpus);
            racks.insert(gpu / m_options.gpus / m_options.servers);
        }
        return m_speed(job.spec,
                       FindTiers(job.spec.gpus,
                                 static_cast<uint32_t>(halves.size()),
                                 static_cast<uint32_t>(servers.size()),
                                 static_cast<uint32_t>(racks.size())));
    }

    /** \return GPUs that a job takes; none if it declines */
    std::vector<uint32_t> Choose(const Job& job)
    {
        const uint32_t wanted = job.spec.gpus;
        if (wanted > m_free)
        {
            return {};
        }
        const uint32_t ofRack = m_options.servers * m_options.gpus;
        const double wait = (m_now - job.since) / m_options.lease;
        for (const uint32_t server : m_options.serverOrder)
        {
            if (m_freeOfServer[server] >= wanted)
            {
                AddWait(m_serverWaits[wanted], wait);
                return TakeFirst(wanted, server * m_options.gpus, m_options.gpus);
            }
        }
        const auto rack = FindRoom(m_freeOfRack, wanted);
        if (rack < m_freeOfRack.size() && AcceptsRack(job, wait))
        {
            AddWait(m_rackWaits[wanted], wait);
            return TakeFirst(wanted, rack * ofRack, ofRack);
        }
        if (AcceptsAny(job, wait))
        {
            return TakeFirst(wanted, 0, m_owners.size());
        }
        return {};
    }

    void AddWait(OfferWaits& waits, double wait)
    {
        waits.Add(m_now, wait, m_now - m_options.history * m_options.lease);
    }

    static std::size_t FindRoom(const std::vector<uint32_t>& free, uint32_t wanted)
    {
        const auto place = std::find_if(free.begin(), free.end(), [wanted](uint32_t room) {
            return room >= wanted;
        });
        return static_cast<std::size_t>(place - free.begin());
    }

    std::vector<uint32_t> TakeFirst(uint32_t wanted, std::size_t first, std::size_t count) const
    {
        std::vector<uint32_t> gpus;
        for (std::size_t gpu = first; gpu < first + count && gpus.size() < wanted; ++gpu)
        {
            if (m_owners[gpu] == NOBODY)
            {
                gpus.push_back(static_cast<uint32_t>(gpu));
            }
        }
        return gpus;
    }

    bool AcceptsRack(const Job& job, double wait)
    {
        if (!m_options.isDally)
        {
            // that program compares the GPUs that are free, plus one, with those of a server
            return m_free + 1 > m_options.gpus || !job.spec.isSkewed;
        }
        const double timer = std::ceil(m_serverWaits[job.spec.gpus].GetTimer());
        return job.spec.gpus > m_options.gpus ||
               wait >=
                   std::min(std::ceil(MOST_RACK * m_options.history), std::max(LEAST_RACK, timer));
    }

    bool AcceptsAny(const Job& job, double wait)
    {
        if (job.spec.gpus > m_options.gpus * m_options.servers)
        {
            return true;
        }
        if (!m_options.isDally)
        {
            return !job.spec.isSkewed;
        }
        const double timer = std::ceil(m_rackWaits[job.spec.gpus].GetTimer());
        return wait >= std::min(m_options.history, std::max(LEAST_AWAY, timer));
    }

    OfferOptions m_options;
    OfferSpeed m_speed;
    std::vector<Job> m_jobs;
    std::vector<uint32_t> m_owners;       //!< job that owns each GPU, or NOBODY
    std::vector<uint32_t> m_freeOfServer; //!< number of free GPUs of each server
    std::vector<uint32_t> m_freeOfRack;   //!< number of free GPUs of each rack
    uint32_t m_free;
    std::map<uint32_t, OfferWaits> m_serverWaits, m_rackWaits; //!< by number of GPUs of a job
    std::priority_queue<std::tuple<double, Event, uint32_t>,
                        std::vector<std::tuple<double, Event, uint32_t>>,
                        std::greater<>>
        m_events;
    std::size_t m_done{0};
    double m_now{0};
    double m_computing{0};           //!< GPUs of running jobs
    double m_held{0}, m_computed{0}; //!< GPU seconds leased, and of running jobs
};

} // namespace

OfferResult
RunOffers(const std::vector<OfferJob>& jobs, const OfferOptions& options, const OfferSpeed& speed)
{
    return OfferCluster(jobs, options, speed).Run();
}

OfferTiers
FindTiers(uint32_t gpus, uint32_t halves, uint32_t servers, uint32_t racks)
{
    OfferTiers tiers;
    const auto divide = [&gpus](uint32_t parts, bool hasTiersBelow, uint32_t& tier) {
        if (gpus % parts != 0 || (parts == gpus && hasTiersBelow))
        {
            tier = std::exchange(gpus, 1);
            return false;
        }
        tier = parts;
        gpus /= parts;
        return true;
    };
    if ((racks > 1 && !divide(racks, false, tiers.across)) ||
        (servers > 1 && !divide(servers, true, tiers.inRack)) ||
        !divide(halves, true, tiers.inServer))
    {
        return tiers;
    }
    tiers.inHalf = gpus;
    return tiers;
}

} // namespace ns3::ddl
