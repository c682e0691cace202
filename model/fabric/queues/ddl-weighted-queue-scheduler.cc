// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-weighted-queue-scheduler.h"

#include "ns3/ddl-error.h"
#include "ns3/string.h"

#include <algorithm>
#include <sstream>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(WeightedQueueScheduler);

namespace
{

/** \return a whole number from 1 to MOST_WEIGHT. \throws InputError for anything else */
uint32_t
ParseWeight(const std::string& text)
{
    const bool digits =
        !text.empty() && text.size() <= 4 &&
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    const uint32_t weight = digits ? static_cast<uint32_t>(std::stoul(text)) : 0;
    if (weight < 1 || weight > WeightedQueueScheduler::MOST_WEIGHT)
    {
        throw InputError("weight \"" + text + "\" is not a whole number from 1 to " +
                         std::to_string(WeightedQueueScheduler::MOST_WEIGHT));
    }
    return weight;
}

std::string
Trim(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t");
    const auto last = text.find_last_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

} // namespace

TypeId
WeightedQueueScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::WeightedQueueScheduler")
            .SetParent<QueueScheduler>()
            .SetGroupName("Ddl")
            .AddAttribute("Weights",
                          "One whole number from 1 to 1000 a queue, separated by commas, queue 0 "
                          "first. Empty: all equal.",
                          StringValue(""),
                          MakeStringAccessor(&WeightedQueueScheduler::m_weights),
                          MakeStringChecker());
    return tid;
}

void
WeightedQueueScheduler::DoConfigure(uint32_t queues)
{
    if (queues > MAX_QUEUES)
    {
        throw InputError("serves at most 8 queues by weight, not " + std::to_string(queues) +
                         ": unlimited queues go with \"strict-priority\" only");
    }
    Weights weights;
    weights.fill(1);
    uint32_t count = 0;
    std::istringstream list(m_weights);
    for (std::string item; std::getline(list, item, ','); ++count)
    {
        const uint32_t weight = ParseWeight(Trim(item));
        if (count < queues)
        {
            weights[count] = weight;
        }
    }
    if (count != 0 && count != queues)
    {
        throw InputError(std::to_string(queues) + " queues need as many weights, not " +
                         std::to_string(count) + " (\"" + m_weights + "\")");
    }
    m_configured = weights;
    m_queues = queues;
    DoSetWeights(queues, weights);
}

std::optional<QueueShares>
WeightedQueueScheduler::GetShares() const
{
    QueueShares shares(m_queues);
    for (uint32_t queue = 0; queue < m_queues; ++queue)
    {
        shares[queue].weight = m_configured[queue];
    }
    return shares;
}

} // namespace ns3::ddl
