// SPDX-License-Identifier: GPL-2.0-only
// Dally's Algorithm 1 and Tiresias's placement beside straightforward implementations of the rules
// in doc/dally.md, on random clusters. Rooms are small numbers, so that servers and racks often
// tie.
#include "ns3/boolean.h"
#include "ns3/ddl-placement-policy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t RANDOM_CASES = 2000;
constexpr double REFERENCE_SKEW = 0.3;

/** A server, and which of its GPUs are free. */
struct PlainServer
{
    uint32_t rack;
    uint32_t gpus;
    std::vector<GpuId> free;
};

/** A job that asks, and the cluster. */
struct TierCase
{
    ClusterView cluster;
    std::vector<PlainServer> servers;
    uint32_t workers{1};
    std::vector<GpuId> last; //!< where it ran last
    int waitedHours{0};
    double skew{0};
};

/** What is answered: GPUs by rank; none: the job waits, perhaps until a date. */
struct PlainAnswer
{
    std::vector<GpuId> gpus;
    bool declines{false};
    std::optional<Time> askAgain{};
};

using Draw = std::function<int(int, int)>;

/** Racks of servers of several sizes. GPUs are hosts of the fabric, or those of one host. */
TierCase
DrawCase(const Draw& draw)
{
    TierCase drawn;
    const bool areHosts = draw(0, 1) == 0;
    const int racks = draw(1, 4);
    const int busy = draw(0, 4); // of 4
    const int largest = draw(1, 5);
    uint32_t host = 0;
    uint32_t all = 0;
    for (int rack = 0; rack < racks; ++rack)
    {
        for (int server = draw(1, 4); server > 0; --server)
        {
            PlainServer plain{static_cast<uint32_t>(rack),
                              static_cast<uint32_t>(draw(std::max(1, largest - 1), largest)),
                              {}};
            for (uint32_t gpu = 0; gpu < plain.gpus; ++gpu)
            {
                const bool isFree = draw(1, 4) > busy;
                if (areHosts || gpu == 0)
                {
                    MachineView machine;
                    machine.host = HostId{host++};
                    machine.server =
                        areHosts ? static_cast<uint32_t>(drawn.servers.size()) : OWN_SERVER;
                    machine.rack = plain.rack;
                    drawn.cluster.machines.push_back(machine);
                }
                auto& gpus = drawn.cluster.machines.back().gpus;
                const GpuId id{drawn.cluster.machines.back().host,
                               static_cast<uint32_t>(gpus.size())};
                gpus.push_back({id, isFree});
                if (isFree)
                {
                    plain.free.push_back(id);
                }
            }
            all += plain.gpus;
            drawn.servers.push_back(plain);
        }
    }
    drawn.workers = draw(1, draw(0, 3) == 0 ? static_cast<int>(all) : std::min(8, int(all)));
    drawn.waitedHours = draw(0, 30);
    drawn.skew = draw(0, 4) * 0.15; // 0.3 is a tie
    // It ran nowhere, or on GPUs of which most are free.
    const int from = draw(0, static_cast<int>(drawn.servers.size()) - 1);
    for (std::size_t i = 0; i < drawn.servers.size() && draw(0, 3) > 0; ++i)
    {
        const auto& free = drawn.servers[(from + i) % drawn.servers.size()].free;
        for (const GpuId& id : free)
        {
            if (drawn.last.size() < drawn.workers && draw(0, 4) > 0)
            {
                drawn.last.push_back(id);
            }
        }
    }
    if (!drawn.last.empty() && draw(0, 4) == 0)
    {
        drawn.last.back() = drawn.cluster.machines.front().gpus.front().id; // perhaps held
    }
    std::set<std::pair<uint32_t, uint32_t>> different;
    for (const GpuId& id : drawn.last)
    {
        different.insert({id.host.value, id.index});
    }
    if (different.size() < drawn.last.size())
    {
        drawn.last.clear();
    }
    return drawn;
}

/** Where a job fits, by looking at all servers for each question. */
class PlainFit
{
  public:
    explicit PlainFit(const TierCase& asked)
        : m_case(asked)
    {
    }

    uint32_t CountRacks() const
    {
        std::set<uint32_t> racks;
        for (const PlainServer& server : m_case.servers)
        {
            racks.insert(server.rack);
        }
        return racks.size();
    }

    uint32_t GetSize(std::optional<uint32_t> rack) const
    {
        uint32_t gpus = 0;
        for (const PlainServer& server : m_case.servers)
        {
            gpus = rack ? gpus + (server.rack == *rack ? server.gpus : 0)
                        : std::max(gpus, server.gpus);
        }
        return gpus;
    }

    uint32_t GetLargestRack() const
    {
        uint32_t gpus = 0;
        for (uint32_t rack = 0; rack < CountRacks(); ++rack)
        {
            gpus = std::max(gpus, GetSize(rack));
        }
        return gpus;
    }

    uint32_t CountFree() const
    {
        return CountFree(List(std::nullopt));
    }

    std::vector<GpuId> FindOwn() const
    {
        std::vector<GpuId> free;
        for (const PlainServer& server : m_case.servers)
        {
            free.insert(free.end(), server.free.begin(), server.free.end());
        }
        const bool isFree =
            std::all_of(m_case.last.begin(), m_case.last.end(), [&](const auto& id) {
                return std::find(free.begin(), free.end(), id) != free.end();
            });
        return isFree && m_case.last.size() == m_case.workers ? m_case.last : std::vector<GpuId>();
    }

    std::vector<GpuId> FindServer(bool bestFit) const
    {
        std::vector<GpuId> best;
        uint32_t room = UINT32_MAX;
        for (const PlainServer& server : m_case.servers)
        {
            if (server.free.size() >= m_case.workers && server.free.size() < room)
            {
                room = bestFit ? server.free.size() : 0;
                best.assign(server.free.begin(), server.free.begin() + m_case.workers);
            }
        }
        return PreferOwn(best, 1, 1);
    }

    std::vector<GpuId> FindRack(bool bestFit) const
    {
        std::vector<GpuId> best;
        std::pair<std::size_t, uint32_t> least{SIZE_MAX, UINT32_MAX}; // servers, room of the rack
        for (uint32_t rack = 0; rack < CountRacks(); ++rack)
        {
            const auto gpus = Take(List(rack));
            const std::pair<std::size_t, uint32_t> rank{CountServers(gpus), CountFree(List(rack))};
            if (!gpus.empty() && rank < least)
            {
                best = gpus;
                least = bestFit ? rank : std::pair<std::size_t, uint32_t>{0, 0};
            }
        }
        return PreferOwn(best, CountServers(best), 2);
    }

    std::vector<GpuId> FindAny() const
    {
        const auto gpus = Take(List(std::nullopt));
        return PreferOwn(gpus, CountServers(gpus), 3);
    }

    std::size_t CountServers(const std::vector<GpuId>& gpus) const
    {
        return Positions(gpus).size();
    }

  private:
    using Servers = std::vector<uint32_t>;

    Servers List(std::optional<uint32_t> rack) const
    {
        Servers servers;
        for (uint32_t server = 0; server < m_case.servers.size(); ++server)
        {
            if (!rack || m_case.servers[server].rack == *rack)
            {
                servers.push_back(server);
            }
        }
        return servers;
    }

    uint32_t CountFree(const Servers& servers) const
    {
        uint32_t free = 0;
        for (const uint32_t server : servers)
        {
            free += m_case.servers[server].free.size();
        }
        return free;
    }

    /** The server with the most room gives all that it has, and so on; nothing if there are too
     * few. */
    std::vector<GpuId> Take(Servers servers) const
    {
        std::vector<std::vector<GpuId>> taken(m_case.servers.size());
        uint32_t left = m_case.workers;
        while (left > 0 && !servers.empty())
        {
            auto most = servers.begin();
            for (auto other = servers.begin(); other != servers.end(); ++other)
            {
                const bool isMore =
                    m_case.servers[*other].free.size() > m_case.servers[*most].free.size();
                most = isMore ? other : most;
            }
            const auto& free = m_case.servers[*most].free;
            const uint32_t gives = std::min<uint32_t>(left, free.size());
            taken[*most].assign(free.begin(), free.begin() + gives);
            left -= gives;
            servers.erase(most);
        }
        std::vector<GpuId> gpus; // servers are numbered rack by rack
        for (const auto& some : taken)
        {
            gpus.insert(gpus.end(), some.begin(), some.end());
        }
        return left == 0 ? gpus : std::vector<GpuId>();
    }

    std::set<uint32_t> Positions(const std::vector<GpuId>& gpus) const
    {
        std::set<uint32_t> servers;
        for (const GpuId& id : gpus)
        {
            for (uint32_t server = 0; server < m_case.servers.size(); ++server)
            {
                const auto& free = m_case.servers[server].free;
                if (std::find(free.begin(), free.end(), id) != free.end())
                {
                    servers.insert(server);
                }
            }
        }
        return servers;
    }

    /** \param tier 1: one server, 2: one rack, 3: any */
    std::vector<GpuId> PreferOwn(const std::vector<GpuId>& other,
                                 std::size_t servers,
                                 int tier) const
    {
        const auto own = FindOwn();
        if (other.empty() || own.empty())
        {
            return other;
        }
        const auto positions = Positions(own);
        std::set<uint32_t> racks;
        for (const uint32_t server : positions)
        {
            racks.insert(m_case.servers[server].rack);
        }
        const int spans = positions.size() == 1 ? 1 : racks.size() == 1 ? 2 : 3;
        return spans <= tier && positions.size() <= servers ? own : other;
    }

    const TierCase& m_case;
};

/** Choices of Algorithm 1 that the paper leaves open. */
struct DallyChoices
{
    bool bestFit{true};
    bool keepsPlace{false};
    bool isOrdered{false};
    bool isTuned{true};
    bool isConsolidated{false};
};

PlainAnswer
AnswerAsDally(const TierCase& asked, const DallyChoices& choices, Time machine, Time rack, Time now)
{
    const PlainFit fit(asked);
    if (const auto gpus = fit.FindServer(choices.bestFit); !gpus.empty())
    {
        return {gpus};
    }
    if (const auto gpus = fit.FindOwn(); choices.keepsPlace && !gpus.empty())
    {
        return {gpus};
    }
    const bool waitsForServer = asked.workers <= fit.GetSize(std::nullopt);
    const bool waitsForRack = asked.workers <= fit.GetLargestRack();
    if (choices.isOrdered)
    {
        rack = std::max(rack, machine);
    }
    const Time waited = Hours(asked.waitedHours);
    const auto until = [&](Time timer) {
        return choices.isConsolidated ? std::nullopt : std::make_optional(now + timer - waited);
    };
    if (waitsForServer && (choices.isConsolidated || waited < machine))
    {
        return {{}, true, until(machine)};
    }
    if (const auto gpus = fit.FindRack(choices.bestFit); !gpus.empty())
    {
        return {gpus};
    }
    if (waitsForRack && (choices.isConsolidated || waited < rack))
    {
        return {{}, true, until(rack)};
    }
    return {fit.FindAny()};
}

PlainAnswer
AnswerAsTiresias(const TierCase& asked, bool bestFit, bool isStrict)
{
    const PlainFit fit(asked);
    if (const auto gpus = fit.FindServer(bestFit); !gpus.empty())
    {
        return {gpus};
    }
    const auto inRack = fit.FindRack(bestFit);
    const auto anywhere = fit.FindAny();
    if (asked.skew < REFERENCE_SKEW)
    {
        return {inRack.empty() ? anywhere : inRack};
    }
    if (!isStrict)
    {
        const bool takesRack = fit.CountFree() >= fit.GetSize(std::nullopt) && !inRack.empty();
        const bool isLarge = asked.workers > fit.GetLargestRack();
        return takesRack ? PlainAnswer{inRack}
               : isLarge ? PlainAnswer{anywhere}
                         : PlainAnswer{{}, true};
    }
    std::vector<uint32_t> sizes; // the fewest servers that are large enough
    for (const PlainServer& server : asked.servers)
    {
        sizes.push_back(server.gpus);
    }
    std::sort(sizes.begin(), sizes.end());
    uint32_t servers = 0;
    for (uint32_t gpus = 0; gpus < asked.workers; ++servers)
    {
        gpus += sizes[sizes.size() - 1 - servers];
    }
    for (const auto& gpus : {inRack, anywhere})
    {
        if (!gpus.empty() && fit.CountServers(gpus) <= servers)
        {
            return {gpus};
        }
    }
    return {{}, true};
}

void
ExpectSame(const PlacementAnswer& answer, const PlainAnswer& expected, uint32_t seed)
{
    const auto gpus = answer.placement ? answer.placement->workers : std::vector<GpuId>();
    EXPECT_EQ(gpus, expected.gpus) << "case " << seed;
    EXPECT_EQ(answer.declines, expected.declines) << "case " << seed;
    ASSERT_EQ(answer.askAgain.has_value(), expected.askAgain.has_value()) << "case " << seed;
    if (answer.askAgain) // sums of doubles are rounded to ns
    {
        EXPECT_NEAR((*answer.askAgain - *expected.askAgain).GetNanoSeconds(), 0, 1) << seed;
    }
}

/** \return mean plus twice the deviation of a sample of whole hours (Algorithm 2); else a default
 */
Time
TuneByHand(const std::vector<int>& hours, Time otherwise)
{
    if (hours.empty())
    {
        return otherwise;
    }
    const double count = hours.size();
    double sum = 0;
    double squares = 0;
    for (const int wait : hours)
    {
        sum += wait;
        squares += double(wait) * wait;
    }
    const double variance = count > 1 ? (squares - sum * sum / count) / (count - 1) : 0;
    const double tuned = sum / count + 2 * std::sqrt(std::max(variance, 0.0));
    return NanoSeconds(std::llround(tuned * 3600e9));
}

Draw
MakeDraw(std::mt19937_64& generator)
{
    return [&generator](int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(generator);
    };
}

TEST(TierReference, DallysAlgorithm1)
{
    uint32_t placed = 0;
    uint32_t kept = 0;
    for (uint32_t seed = 1; seed <= RANDOM_CASES; ++seed)
    {
        std::mt19937_64 generator(seed);
        const Draw draw = MakeDraw(generator);
        const TierCase asked = DrawCase(draw);
        DallyChoices choices;
        choices.bestFit = draw(0, 2) > 0;
        choices.keepsPlace = draw(0, 2) == 0;
        choices.isOrdered = draw(0, 2) == 0;
        choices.isTuned = draw(0, 1) == 0;
        choices.isConsolidated = draw(0, 7) == 0;
        const auto policy = CreatePolicy<PlacementPolicy>("dally");
        policy->SetAttribute("BestFit", BooleanValue(choices.bestFit));
        policy->SetAttribute("KeepPlace", BooleanValue(choices.keepsPlace));
        policy->SetAttribute("OrderedTimers", BooleanValue(choices.isOrdered));
        policy->SetAttribute("Tuned", BooleanValue(choices.isTuned));
        policy->SetAttribute("Consolidated", BooleanValue(choices.isConsolidated));
        Time machine = Hours(draw(0, 20));
        Time rack = Hours(draw(0, 30));
        policy->SetAttribute("MachineTimer", TimeValue(machine));
        policy->SetAttribute("RackTimer", TimeValue(rack));
        const Time now = Hours(1000);
        WaitHistory waits;
        std::vector<int> ofServers;
        std::vector<int> ofRacks;
        const int window = 384 / static_cast<int>(PlainFit(asked).CountRacks());
        for (int age = draw(0, 400); age > 0; age -= draw(0, 150))
        {
            const int hours = draw(0, 12);
            const bool isServer = draw(0, 1) == 0;
            waits.Add(isServer ? Tier::SERVER : Tier::RACK,
                      asked.workers,
                      {now - Hours(age), Hours(hours)});
            if (age < window)
            {
                (isServer ? ofServers : ofRacks).push_back(hours);
            }
        }
        if (choices.isTuned)
        {
            machine = TuneByHand(ofServers, machine);
            rack = TuneByHand(ofRacks, rack);
        }
        JobView job;
        job.waited = Hours(asked.waitedHours);
        job.placement.workers = asked.last;
        const PlacementAnswer answer =
            policy->Place({asked.cluster, asked.workers, 0, 0, job, now, waits});
        ExpectSame(answer, AnswerAsDally(asked, choices, machine, rack, now), seed);
        placed += answer.placement.has_value();
        kept += answer.placement && answer.placement->workers == asked.last;
    }
    EXPECT_GT(placed, RANDOM_CASES / 5); // all kinds of answers are there
    EXPECT_LT(placed, RANDOM_CASES * 4 / 5);
    EXPECT_GT(kept, RANDOM_CASES / 50);
}

TEST(TierReference, TiresiasPlacement)
{
    uint32_t placed = 0;
    for (uint32_t seed = 1; seed <= RANDOM_CASES; ++seed)
    {
        std::mt19937_64 generator(seed);
        const Draw draw = MakeDraw(generator);
        const TierCase asked = DrawCase(draw);
        const bool bestFit = draw(0, 2) > 0;
        const bool isStrict = draw(0, 1) == 0;
        const auto policy = CreatePolicy<PlacementPolicy>("tiresias");
        policy->SetAttribute("BestFit", BooleanValue(bestFit));
        policy->SetAttribute("Strict", BooleanValue(isStrict));
        JobView job;
        job.skew = asked.skew;
        job.placement.workers = asked.last;
        const PlacementAnswer answer =
            policy->Place({asked.cluster, asked.workers, 0, 0, job, Hours(1000), NO_WAITS});
        ExpectSame(answer, AnswerAsTiresias(asked, bestFit, isStrict), seed);
        placed += answer.placement.has_value();
    }
    EXPECT_GT(placed, RANDOM_CASES / 5);
    EXPECT_LT(placed, RANDOM_CASES * 4 / 5);
}

} // namespace
