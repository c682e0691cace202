// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-steady-stretch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** The bytes of a stretch, with sums over any windows in constant time. */
class Sums
{
  public:
    Sums(const Stretch& stretch, const SteadyRule& rule, double packet)
        : m_hops(stretch.hops),
          m_rule(rule),
          m_packet(packet)
    {
        for (const auto& bytes : stretch.bytes)
        {
            auto& sums = m_sums.emplace_back(bytes.size() + 1);
            for (std::size_t i = 0; i < bytes.size(); ++i)
            {
                sums[i + 1] = sums[i] + bytes[i];
            }
        }
    }

    /** \return the window behind the longest steady time that begins there; 0: there is none */
    std::size_t FindEnd(std::size_t begin, std::size_t windows) const
    {
        const std::size_t known = begin + m_rule.length;
        std::vector<double> means;
        for (const auto& sums : m_sums)
        {
            means.push_back((sums[known] - sums[begin]) / static_cast<double>(m_rule.length) *
                            static_cast<double>(m_rule.smoothing));
        }
        std::size_t end = begin + m_rule.smoothing;
        while (end <= windows && IsWithin(means, end))
        {
            ++end;
        }
        return end > known ? end - 1 : 0;
    }

    double GetByteHops(std::size_t begin, std::size_t end) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < m_sums.size(); ++i)
        {
            sum += m_hops[i] * (m_sums[i][end] - m_sums[i][begin]);
        }
        return sum;
    }

    /** Add what is skipped up to `end` at the rates of the first windows from `begin` on. */
    void Skip(std::size_t begin, std::size_t end, SteadySum::Skipped& skipped) const
    {
        const std::size_t known = begin + m_rule.length;
        skipped.byteHops += GetByteHops(known, end);
        for (const auto& sums : m_sums)
        {
            const double rate = (sums[known] - sums[begin]) / static_cast<double>(m_rule.length);
            const double bytes = sums[end] - sums[known];
            skipped.bytes += bytes;
            skipped.error += std::abs(rate * static_cast<double>(end - known) - bytes);
        }
    }

  private:
    /** \return whether the bytes of the windows before `end` are within the tolerance of means */
    bool IsWithin(const std::vector<double>& means, std::size_t end) const
    {
        double differences = 0;
        double allowed = 0;
        for (std::size_t i = 0; i < m_sums.size(); ++i)
        {
            const double sum = m_sums[i][end] - m_sums[i][end - m_rule.smoothing];
            const double difference = std::max(0.0, std::abs(sum - means[i]) - m_packet);
            if (!m_rule.together && difference > m_rule.tolerance * means[i])
            {
                return false;
            }
            differences += difference;
            allowed += m_rule.tolerance * means[i];
        }
        return !(differences > allowed); // infinity times a mean of 0 is not a number
    }

    const std::vector<double>& m_hops;
    SteadyRule m_rule;
    double m_packet;
    std::vector<std::vector<double>> m_sums; //!< bytes before each window, by stream
};

void
Add(SteadySum::Skipped& sum, const SteadySum::Skipped& other)
{
    sum.byteHops += other.byteHops;
    sum.bytes += other.bytes;
    sum.error += other.error;
}

} // namespace

SteadySum&
SteadySum::operator+=(const SteadySum& other)
{
    steady += other.steady;
    Add(whileSteady, other.whileSteady);
    Add(untilChange, other.untilChange);
    return *this;
}

SteadySum
MeasureStretch(const Stretch& stretch, const SteadyRule& rule, double packet)
{
    SteadySum sum;
    const std::size_t windows = stretch.GetWindows();
    if (windows < rule.length)
    {
        return sum;
    }
    const Sums sums(stretch, rule, packet);
    bool isFirst = true;
    for (std::size_t begin = 0; begin + rule.length <= windows;)
    {
        const std::size_t end = sums.FindEnd(begin, windows);
        if (end == 0)
        {
            ++begin;
            continue;
        }
        sum.steady += sums.GetByteHops(begin, end);
        sums.Skip(begin, end, sum.whileSteady);
        if (std::exchange(isFirst, false))
        {
            sums.Skip(begin, windows, sum.untilChange);
        }
        begin = end;
    }
    return sum;
}

StretchFinder::StretchFinder(Callback found)
    : m_found(std::move(found))
{
}

void
StretchFinder::Emit(const Component& component, std::size_t windows)
{
    if (windows == 0)
    {
        return;
    }
    Stretch stretch;
    for (const uint32_t stream : component.members)
    {
        const Member& member = m_members.at(stream);
        stretch.hops.push_back(member.hops);
        stretch.bytes.emplace_back(member.bytes.begin(),
                                   member.bytes.begin() + static_cast<std::ptrdiff_t>(windows));
    }
    m_found(stretch);
}

void
StretchFinder::Break(uint32_t component)
{
    const Component& broken = m_components.at(component);
    Emit(broken, m_members.at(broken.members.front()).bytes.size());
    for (const uint32_t stream : broken.members)
    {
        m_members.erase(stream);
    }
    m_components.erase(component);
}

void
StretchFinder::AddAlone(const StreamWindow& window)
{
    ++m_last;
    m_members[window.stream] = {m_last, window.hops, {}};
    m_components[m_last] = {m_window + 1, {window.stream}};
}

void
StretchFinder::Join(uint32_t first, uint32_t second)
{
    if (first == second)
    {
        return;
    }
    Component& kept = m_components.at(first);
    Component& other = m_components.at(second);
    const uint64_t begin = std::max(kept.begin, other.begin);
    for (Component* part : {&kept, &other})
    {
        const auto before = static_cast<std::ptrdiff_t>(begin - part->begin);
        Emit(*part, static_cast<std::size_t>(before));
        for (const uint32_t stream : part->members)
        {
            auto& bytes = m_members.at(stream).bytes;
            bytes.erase(bytes.begin(), bytes.begin() + before);
        }
        part->begin = begin;
    }
    for (const uint32_t stream : other.members)
    {
        m_members.at(stream).component = first;
        kept.members.push_back(stream);
    }
    m_components.erase(second);
}

void
StretchFinder::AddWindow(const std::vector<StreamWindow>& streams,
                         const std::vector<std::vector<uint32_t>>& saturated)
{
    std::set<uint32_t> broken;
    for (const StreamWindow& each : streams)
    {
        const auto member = m_members.find(each.stream);
        if (each.changed && member != m_members.end())
        {
            broken.insert(member->second.component);
        }
    }
    std::for_each(broken.begin(), broken.end(), [this](uint32_t each) { Break(each); });
    for (const StreamWindow& each : streams)
    {
        m_byteHops += each.bytes * each.hops;
        const auto member = m_members.find(each.stream);
        if (member != m_members.end())
        {
            member->second.bytes.push_back(static_cast<float>(each.bytes));
            continue;
        }
        m_changing += each.bytes * each.hops;
        if (!each.ended)
        {
            AddAlone(each);
        }
    }
    for (const auto& users : saturated)
    {
        auto first = m_members.end();
        for (const uint32_t stream : users)
        {
            const auto member = m_members.find(stream);
            if (member == m_members.end())
            {
                continue;
            }
            first = first == m_members.end() ? member : first;
            Join(first->second.component, member->second.component);
        }
    }
    ++m_window;
}

void
StretchFinder::Finish()
{
    while (!m_components.empty())
    {
        Break(m_components.begin()->first);
    }
}

} // namespace ns3::ddl
