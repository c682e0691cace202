// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-shuffle-communication-pattern.h"

#include "ddl-communication-pattern.h"

#include "ns3/string.h"

#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <numeric>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(ShuffleCommunicationPattern);

namespace
{

/** Bytes times weights, which do not fit in 64 bits. */
__extension__ using Wide = unsigned __int128;

} // namespace

TypeId
ShuffleCommunicationPattern::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::ShuffleCommunicationPattern")
            .SetParent<CommunicationPattern>()
            .SetGroupName("Ddl")
            .AddConstructor<ShuffleCommunicationPattern>()
            .AddAttribute("Weights",
                          "Share of each server, whole numbers, \"3,1,1\"; empty: all the same.",
                          StringValue(""),
                          MakeStringAccessor(&ShuffleCommunicationPattern::SetWeights,
                                             &ShuffleCommunicationPattern::GetWeights),
                          MakeStringChecker());
    return tid;
}

void
ShuffleCommunicationPattern::SetWeights(std::string text)
{
    m_text = text;
    m_weights.clear();
    m_isWrong = false;
    std::vector<std::string> words;
    boost::split(words, text, boost::is_any_of(","));
    for (std::size_t i = 0; i < words.size() && !text.empty(); ++i)
    {
        uint64_t weight = 0;
        boost::trim(words[i]);
        m_isWrong = m_isWrong || words[i].find('-') != std::string::npos ||
                    !boost::conversion::try_lexical_convert(words[i], weight);
        m_weights.push_back(weight);
    }
}

std::string
ShuffleCommunicationPattern::Refuse(const PatternView& view) const
{
    if (view.servers == 0)
    {
        return "shuffle needs servers, who receive";
    }
    if (m_isWrong)
    {
        return "shuffle's Weights must be whole numbers, \"3,1,1\"";
    }
    if (!m_weights.empty() && m_weights.size() != view.servers)
    {
        return "shuffle has " + std::to_string(m_weights.size()) + " Weights for " +
               std::to_string(view.servers) + " servers";
    }
    const auto sum = std::accumulate(m_weights.begin(), m_weights.end(), Wide{0});
    if (!m_weights.empty() && (sum == 0 || sum >> 64 != 0))
    {
        return "shuffle's Weights must add up to more than 0 and less than 2^64";
    }
    return "";
}

TransferPlan
ShuffleCommunicationPattern::DoPlan(const PatternView& view) const
{
    const std::vector<uint64_t> weights =
        m_weights.empty() ? std::vector<uint64_t>(view.servers, 1) : m_weights;
    const auto sum = std::accumulate(weights.begin(), weights.end(), Wide{0});
    TransferPlan plan;
    Wide weight = 0;
    uint64_t before = 0;
    for (uint32_t server = 0; server < view.servers; ++server)
    {
        weight += weights[server];
        const auto end = static_cast<uint64_t>(Wide{view.bytes} * weight / sum);
        for (uint32_t worker = 0; worker < view.workers; ++worker)
        {
            const uint64_t bytes = SplitBytes(end - before, view.workers, worker);
            if (bytes > 0)
            {
                plan.push_back({worker, view.workers + server, bytes, {}});
            }
        }
        before = end;
    }
    return plan;
}

} // namespace ns3::ddl
