// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-iteration-series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_CELLS = 128;
constexpr std::size_t FEW_BATCHES = 16;
constexpr std::size_t MANY_BATCHES = 32;
constexpr double T_15 = 2.1314;     //!< 0.975 quantile of Student's t, 15 degrees of freedom
constexpr double T_31 = 2.0395;     //!< the same, 31 degrees
constexpr uint64_t LATER_CHECK = 8; //!< iterations after Resume
constexpr double CHECK_GROWTH = 1.25;
constexpr double MOST_CORRELATION = 0.3;
constexpr double WARM_UP = 0.25;  //!< part of the iterations
constexpr double ROUNDING = 1e-9; //!< part of a mean that two equal means may differ by

constexpr double IN_STEP = 0.05;   //!< half-width of a phase, in iterations, of jobs in step
constexpr double MOST_DRIFT = 0.1; //!< iterations by which phases may drift in a leap
constexpr double LEAST_TURNS = 2;  //!< turns after which jobs have met in all ways
constexpr double LEAST_GAIN = 4;   //!< shortest leap that is limited by drift, in times seen

} // namespace

IterationSeries::IterationSeries(uint64_t first)
    : m_shortest(std::numeric_limits<double>::infinity()),
      m_nextCheck(first)
{
}

bool
IterationSeries::Add(uint64_t iteration,
                     double end,
                     std::optional<double> length,
                     double communication)
{
    m_open.end = end;
    m_open.position = static_cast<double>(iteration);
    if (!length)
    {
        return false;
    }
    m_open.length += *length;
    m_open.communication += communication;
    ++m_open.count;
    ++m_counted;
    m_shortest = std::min(m_shortest, *length);
    if (m_open.count == m_perCell)
    {
        m_cells.push_back(std::exchange(m_open, {}));
        m_open.end = m_cells.back().end;
        if (m_cells.size() == MOST_CELLS)
        {
            Merge();
        }
    }
    if (m_counted < m_nextCheck)
    {
        return false;
    }
    m_nextCheck = static_cast<uint64_t>(std::ceil(static_cast<double>(m_counted) * CHECK_GROWTH));
    m_isResumed = false;
    Check();
    return true;
}

void
IterationSeries::Resume()
{
    m_nextCheck = m_counted + LATER_CHECK;
    m_isResumed = true;
}

/** Make one cell of each two. */
void
IterationSeries::Merge()
{
    for (std::size_t i = 0; i < MOST_CELLS / 2; ++i)
    {
        const Cell& first = m_cells[2 * i];
        const Cell& second = m_cells[2 * i + 1];
        m_cells[i] = {first.length + second.length,
                      first.communication + second.communication,
                      first.count + second.count,
                      second.position,
                      second.end};
    }
    m_cells.resize(MOST_CELLS / 2);
    m_perCell *= 2;
}

/** \return number of cells that do not count */
std::size_t
IterationSeries::GetWarmUp() const
{
    return static_cast<std::size_t>(std::ceil(static_cast<double>(m_cells.size()) * WARM_UP));
}

void
IterationSeries::Check()
{
    const std::size_t left = m_cells.size() - GetWarmUp();
    const std::size_t count = left >= 2 * MANY_BATCHES ? MANY_BATCHES : FEW_BATCHES;
    const std::size_t size = left / count;
    std::vector<double> batches;
    double communication = 0;
    for (auto cell = m_cells.end() - count * size; cell != m_cells.end(); cell += size)
    {
        double length = 0;
        for (auto each = cell; each != cell + size; ++each)
        {
            length += each->length;
            communication += each->communication;
        }
        batches.push_back(length / static_cast<double>(size * m_perCell));
    }
    const BatchMeans seen = CheckBatches(batches);
    m_passed = seen.isSteady ? m_passed + 1 : 0;
    m_isSteady = m_passed >= 2 || (m_isSteady && !seen.isMoving);
    const auto iterations = static_cast<double>(count * size * m_perCell);
    m_mean = {seen.mean,
              seen.deviation,
              seen.halfWidth,
              std::max(seen.halfWidth, m_lastWidth),
              seen.mean - m_shortest,
              communication / iterations,
              iterations};
    m_lastWidth = seen.halfWidth;
}

double
IterationSeries::GetBegin() const
{
    return m_cells[GetWarmUp()].end;
}

double
IterationSeries::GetPosition(double time) const
{
    const auto after = std::lower_bound(m_cells.begin() + 1,
                                        m_cells.end() - 1,
                                        time,
                                        [](const Cell& cell, double t) { return cell.end < t; });
    const auto before = after - 1;
    const double length = after->end - before->end;
    const double part = length > 0 ? (time - before->end) / length : 0;
    return before->position + part * (after->position - before->position);
}

BatchMeans
CheckBatches(const std::vector<double>& batches)
{
    const auto count = static_cast<double>(batches.size());
    const double mean = std::accumulate(batches.begin(), batches.end(), 0.0) / count;
    double squares = 0;
    double products = 0;
    for (std::size_t i = 0; i < batches.size(); ++i)
    {
        squares += (batches[i] - mean) * (batches[i] - mean);
        products += i > 0 ? (batches[i] - mean) * (batches[i - 1] - mean) : 0;
    }
    const double t = batches.size() == FEW_BATCHES ? T_15 : T_31;
    const double plain = std::sqrt(squares / (count - 1) / count);
    if (plain * t <= ROUNDING * std::abs(mean))
    {
        return {mean, plain, plain * t, true, false};
    }
    const double correlation = products / squares + 1 / count; // its bias is -1/count
    const double widening =
        correlation > 0 ? std::sqrt((1 + correlation) / (1 - std::min(correlation, 0.9))) : 1;
    const double halfWidth = t * plain * widening;
    const auto middle = batches.begin() + static_cast<std::ptrdiff_t>(batches.size() / 2);
    const double first = std::accumulate(batches.begin(), middle, 0.0);
    const double second = std::accumulate(middle, batches.end(), 0.0);
    const double difference = std::abs(first - second) / (count / 2);
    return {mean,
            plain * widening,
            halfWidth,
            correlation <= MOST_CORRELATION && difference <= 2 * halfWidth,
            difference > 3 * t * plain};
}

namespace
{

/**
 * The same for the case that `p` iterations of b last about as long as `q` of a: by how much b has
 * gained on a, in iterations of a resonance, is a phase that stays, turns or drifts.
 */
std::optional<double>
FindHorizonAt(const IterationSeries& a, const IterationSeries& b, double p, double q, double enough)
{
    const double begin = std::max(a.GetBegin(), b.GetBegin());
    const double seen = std::min(a.GetEnd(), b.GetEnd()) - begin;
    if (seen <= 0)
    {
        return std::nullopt;
    }
    const auto phase = [&](double time) {
        return p * b.GetPosition(time) - q * a.GetPosition(time);
    };
    if (std::abs(phase(begin + seen) - phase(begin)) >= LEAST_TURNS)
    {
        return std::numeric_limits<double>::infinity();
    }
    std::vector<double> batches;
    for (std::size_t i = 0; i < FEW_BATCHES; ++i)
    {
        const auto at = [&](double part) {
            return phase(begin + seen * (static_cast<double>(i) + part) / FEW_BATCHES);
        };
        batches.push_back((at(0.25) + at(0.75)) / 2 - phase(begin));
    }
    const BatchMeans phases = CheckBatches(batches);
    const auto [least, most] = std::minmax_element(batches.begin(), batches.end());
    const bool isStill = *most - *least <= ROUNDING;
    if (isStill || (phases.isSteady && phases.halfWidth <= IN_STEP))
    {
        return std::numeric_limits<double>::infinity();
    }
    const auto middle = batches.begin() + FEW_BATCHES / 2;
    const double gained =
        std::accumulate(middle, batches.end(), 0.0) - std::accumulate(batches.begin(), middle, 0.0);
    const double rate = (std::abs(gained) / (FEW_BATCHES / 2)) / (seen / 2);
    const double horizon = MOST_DRIFT / std::max(rate, ROUNDING / seen);
    return horizon >= std::min(LEAST_GAIN * seen, enough) ? std::make_optional(horizon)
                                                          : std::nullopt;
}

} // namespace

std::optional<double>
FindHorizon(const IterationSeries& a, const IterationSeries& b, double enough)
{
    constexpr std::pair<double, double> RESONANCES[] =
        {{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}};
    double horizon = std::numeric_limits<double>::infinity();
    for (const auto& [p, q] : RESONANCES)
    {
        const auto each = FindHorizonAt(a, b, p, q, enough);
        if (!each)
        {
            return std::nullopt;
        }
        horizon = std::min(horizon, *each);
    }
    return horizon;
}

} // namespace ns3::ddl
