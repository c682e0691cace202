// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-collective-choice.h"

#include "ddl-collective-layout.h"

#include "ns3/abort.h"
#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <limits>
#include <optional>

namespace ns3::ddl
{

namespace
{

using Algorithm = CollectiveAlgorithm;

constexpr uint32_t MOST_COLLECTIVE_CHUNKS = 512;
constexpr double MOST_TRANSFERS = 1 << 24; //!< of a collective of several channels: about 2 GB

/** An algorithm for collectives below a number of bytes. */
struct SizeRule
{
    uint64_t below{std::numeric_limits<uint64_t>::max()};
    std::optional<Algorithm> algorithm; //!< nothing: auto
};

/** \return names of the algorithms of a collective, and `auto` */
std::string
ListAlgorithmNames(Collective collective)
{
    std::string names = "auto";
    for (const Algorithm algorithm : ListAlgorithms(collective))
    {
        names += std::string(", ") + GetName(algorithm);
    }
    return names;
}

/** Read one of a list of rules. \param problem what is wrong with it, if anything */
SizeRule
ReadRule(Collective collective, const std::string& text, std::string& problem)
{
    SizeRule rule;
    const std::size_t sign = text.find('<');
    const std::string name = boost::trim_copy(text.substr(0, sign));
    for (const Algorithm algorithm : ListAlgorithms(collective))
    {
        if (name == GetName(algorithm))
        {
            rule.algorithm = algorithm;
        }
    }
    if (!rule.algorithm && name != "auto")
    {
        problem = "there is no algorithm \"" + name + "\" (" + ListAlgorithmNames(collective) + ")";
    }
    if (sign != std::string::npos)
    {
        const auto bytes = ParseBytes(boost::trim_copy(text.substr(sign + 1)), problem);
        rule.below = bytes.value_or(0);
    }
    return rule;
}

/** \return the rules of a list, by rising size. \param problem as in ReadRule */
std::vector<SizeRule>
ReadRules(Collective collective, const std::string& text, std::string& problem)
{
    std::vector<std::string> words;
    boost::split(words, text, boost::is_any_of(","));
    std::vector<SizeRule> rules;
    for (const std::string& word : words)
    {
        const SizeRule rule = ReadRule(collective, word, problem);
        if (problem.empty() && !rules.empty() && rule.below <= rules.back().below)
        {
            problem = "sizes must rise, and only the last algorithm has none";
        }
        rules.push_back(rule);
    }
    if (problem.empty() && rules.back().below != SizeRule().below)
    {
        problem = "the last algorithm is for all larger sizes, and has none of its own";
    }
    return rules;
}

/** \return what the rules say of a collective of that size; nothing: auto */
std::optional<Algorithm>
FindRule(Collective collective, uint64_t bytes, const CollectiveRules& rules)
{
    const auto given = rules.algorithms.find(collective);
    if (given != rules.algorithms.end())
    {
        std::string problem;
        for (const SizeRule& rule : ReadRules(collective, given->second, problem))
        {
            NS_ABORT_MSG_UNLESS(problem.empty(), problem);
            if (bytes < rule.below && rule.algorithm)
            {
                return rule.algorithm;
            }
            if (bytes < rule.below)
            {
                break;
            }
        }
    }
    const bool hasPattern = rules.pattern.IsTypeIdSet() && rules.pattern.GetTypeId().GetName() !=
                                                               "ns3::ddl::RingCommunicationPattern";
    return hasPattern && collective == Collective::ALL_REDUCE
               ? std::optional<Algorithm>(Algorithm::PATTERN)
               : std::nullopt;
}

/** What costs are made of. */
struct CollectiveShape
{
    explicit CollectiveShape(const CollectiveLayout& layout)
        : servers(layout.GetServers().size()),
          most(layout.GetMostRanks()),
          rails(layout.CountRails())
    {
        for (const Ring& server : layout.GetServers())
        {
            ranks += static_cast<double>(server.size());
        }
    }

    /** \return steps between servers and within, of a path along so many ranks of a ring */
    std::pair<double, double> CountSteps(double steps) const
    {
        const double far = servers > 1 ? std::min(steps, servers) : 0;
        return {far, steps - far};
    }

    /** \return levels of a tree of the ranks: those between servers, and those within */
    std::pair<double, double> CountLevels() const
    {
        const double all = std::ceil(std::log2(ranks));
        const double far = std::min(all, std::ceil(std::log2(servers)));
        return {far, all - far};
    }

    double ranks{0};
    double servers;
    double most;  //!< ranks of a server
    double rails; //!< of a server
};

/** \return steps that a chunk needs before the first one is at the end of its path */
double
CountFill(const CollectiveShape& shape, Algorithm algorithm)
{
    return algorithm == Algorithm::TREE    ? std::ceil(std::log2(shape.ranks))
           : algorithm == Algorithm::CHAIN ? std::max(shape.ranks - 2, 0.0)
                                           : 0;
}

/** \return the number of chunks for which steps x (alpha + M beta / chunks) is least */
uint32_t
CountChunks(const CollectiveShape& shape,
            Algorithm algorithm,
            double bytes,
            const CollectiveRules& rules)
{
    if (rules.chunks > 0)
    {
        return rules.chunks;
    }
    const bool isFar = shape.servers > 1;
    const double alpha = (isFar ? rules.networkStep : rules.serverStep).GetSeconds();
    const double rate =
        static_cast<double>((isFar ? rules.networkRate : rules.serverRate).GetBitRate());
    const double best =
        std::sqrt(CountFill(shape, algorithm) * bytes * 8 / rate / std::max(alpha, 1e-9));
    return static_cast<uint32_t>(std::clamp(std::round(best), 1.0, double{MOST_COLLECTIVE_CHUNKS}));
}

/** \return the choice with the parameters that the rules give it */
CollectiveChoice
Complete(Algorithm algorithm,
         const CollectiveLayout& layout,
         const CollectiveShape& shape,
         uint64_t bytes,
         const CollectiveRules& rules)
{
    CollectiveChoice choice;
    choice.algorithm = algorithm;
    const bool usesRings = algorithm == Algorithm::RING || algorithm == Algorithm::TREE ||
                           algorithm == Algorithm::CHAIN;
    if (usesRings)
    {
        const uint32_t rails = shape.servers > 1 ? layout.CountRails() : 1;
        choice.channels = rules.channels > 0 ? rules.channels : rails;
        choice.chunks =
            CountChunks(shape, algorithm, static_cast<double>(bytes) / choice.channels, rules);
        const double parts = algorithm == Algorithm::RING ? shape.ranks : 2.0 * choice.chunks;
        const double most = std::floor(MOST_TRANSFERS / (2 * shape.ranks * parts));
        choice.channels =
            static_cast<uint32_t>(std::clamp<double>(choice.channels, 1, std::max(most, 1.0)));
    }
    choice.pxn = rules.pxn && algorithm == Algorithm::DIRECT;
    return choice;
}

} // namespace

const char*
GetName(CollectiveAlgorithm algorithm)
{
    constexpr const char* NAMES[] =
        {"ring", "tree", "hierarchical", "tiered", "direct", "pairwise", "chain", "pattern"};
    return NAMES[static_cast<std::size_t>(algorithm)];
}

std::vector<CollectiveAlgorithm>
ListAlgorithms(Collective collective)
{
    switch (collective)
    {
    case Collective::ALL_GATHER:
    case Collective::REDUCE_SCATTER:
        return {Algorithm::RING, Algorithm::HIERARCHICAL, Algorithm::TIERED};
    case Collective::ALL_TO_ALL:
        return {Algorithm::DIRECT, Algorithm::PAIRWISE};
    case Collective::BROADCAST:
        return {Algorithm::CHAIN, Algorithm::TREE};
    case Collective::ALL_REDUCE:
    case Collective::BARRIER:
        break;
    }
    return {Algorithm::RING,
            Algorithm::TREE,
            Algorithm::HIERARCHICAL,
            Algorithm::TIERED,
            Algorithm::PATTERN};
}

std::vector<std::string>
CheckRules(const CollectiveRules& rules)
{
    std::vector<std::string> sentences;
    for (const auto& [collective, text] : rules.algorithms)
    {
        std::string problem;
        ReadRules(collective, text, problem);
        if (!problem.empty())
        {
            sentences.push_back(std::string("has a wrong list of algorithms for ") +
                                GetName(collective) + ", \"" + text + "\": " + problem);
        }
    }
    return sentences;
}

CollectiveCost
CountCost(Collective collective,
          const CollectiveChoice& choice,
          const CollectiveLayout& layout,
          double bytes)
{
    const CollectiveShape shape(layout);
    const double n = shape.ranks;
    const double rounds =
        collective == Collective::ALL_REDUCE || collective == Collective::BARRIER ? 2 : 1;
    const bool isFar = shape.servers > 1;
    const double channels = choice.channels;
    const double filling = 1 + CountFill(shape, choice.algorithm) / choice.chunks;
    CollectiveCost cost;
    switch (choice.algorithm)
    {
    case Algorithm::PATTERN:
    case Algorithm::RING: {
        const auto [far, near] = shape.CountSteps(n - 1);
        const double sent = rounds * (n - 1) / n * bytes;
        return {rounds * far, rounds * near, isFar ? sent / channels : 0, sent};
    }
    case Algorithm::TREE: {
        const auto [far, near] = shape.CountLevels();
        const double sent = rounds * bytes * filling;
        return {rounds * far, rounds * near, isFar ? sent / channels : 0, sent};
    }
    case Algorithm::HIERARCHICAL:
    case Algorithm::TIERED: // the same bytes, in fewer steps
        cost.networkSteps = rounds * (shape.servers - 1);
        cost.serverSteps = rounds * (shape.most - 1);
        cost.networkBytes = rounds * (shape.servers - 1) / shape.servers * bytes / shape.rails;
        cost.serverBytes = rounds * (shape.most - 1) / shape.most * bytes;
        cost.overlaps = false;
        return cost;
    case Algorithm::DIRECT:
    case Algorithm::PAIRWISE: {
        const bool isDirect = choice.algorithm == Algorithm::DIRECT;
        const double far = n - shape.most;
        const double near = shape.most - 1;
        return {isDirect ? std::min(far, 1.0) : far,
                isDirect ? std::min(near, isFar ? 0.0 : 1.0) : near,
                far / n * bytes * shape.most / shape.rails,
                near / n * bytes};
    }
    case Algorithm::CHAIN: {
        const auto [far, near] = shape.CountSteps(n - 1);
        const double sent = bytes * filling;
        return {far, near, isFar ? sent / channels : 0, sent};
    }
    }
    return cost;
}

double
GetSeconds(const CollectiveCost& cost, const CollectiveRules& rules)
{
    const auto seconds = [](double bytes, DataRate rate) {
        return bytes * 8 / static_cast<double>(rate.GetBitRate());
    };
    const double network = seconds(cost.networkBytes, rules.networkRate);
    const double server = seconds(cost.serverBytes, rules.serverRate);
    return cost.networkSteps * rules.networkStep.GetSeconds() +
           cost.serverSteps * rules.serverStep.GetSeconds() +
           (cost.overlaps ? std::max(network, server) : network + server);
}

CollectiveChoice
ChooseAlgorithm(Collective collective, const PatternView& view, const CollectiveRules& rules)
{
    if (view.workers < 2)
    {
        return {}; // there is nobody to send to
    }
    const bool isBarrier = collective == Collective::BARRIER;
    const Collective asked = isBarrier ? Collective::ALL_REDUCE : collective;
    const uint64_t bytes = isBarrier ? view.workers : view.bytes;
    const CollectiveLayout layout(view);
    const CollectiveShape shape(layout);
    const auto rule = FindRule(asked, bytes, rules);
    if (rule)
    {
        const bool isTiered = rule == Algorithm::HIERARCHICAL || rule == Algorithm::TIERED;
        const bool hasTiers = layout.IsEven() && shape.servers > 1;
        return Complete(isTiered && !hasTiers ? Algorithm::RING : *rule,
                        layout,
                        shape,
                        bytes,
                        rules);
    }
    CollectiveChoice best;
    double least = std::numeric_limits<double>::infinity();
    for (const Algorithm algorithm : ListAlgorithms(asked))
    {
        const bool hasTiers = layout.IsEven() && shape.servers > 1 && shape.most > 1;
        if (algorithm == Algorithm::PATTERN || algorithm == Algorithm::TIERED ||
            (algorithm == Algorithm::HIERARCHICAL && !hasTiers))
        {
            continue;
        }
        const CollectiveChoice choice = Complete(algorithm, layout, shape, bytes, rules);
        const double seconds =
            GetSeconds(CountCost(asked, choice, layout, static_cast<double>(bytes)), rules);
        if (seconds < least)
        {
            least = seconds;
            best = choice;
        }
    }
    return best;
}

} // namespace ns3::ddl
