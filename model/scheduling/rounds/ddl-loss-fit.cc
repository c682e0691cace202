// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-loss-fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::ddl
{

namespace
{

constexpr double CONVERGED_LOSS = 0.01; //!< loss minus b2 at convergence, over the first one
constexpr int LEVELS_TRIED = 24;        //!< number of values of b2 that are tried at first
constexpr int LEVEL_STEPS = 40;         //!< steps of golden-section search about the best of them
constexpr double MOST_ROUNDS = 1e15;    //!< bound of predictions, rounds

/** A law for given b2, and its sum of squares. */
struct FittedLine
{
    LossLaw law;
    double squares{std::numeric_limits<double>::infinity()}; //!< infinite: the loss does not fall
};

FittedLine
FitLine(const std::vector<LossPoint>& losses, double b2)
{
    double w = 0;
    double wk = 0;
    double wy = 0;
    double wkk = 0;
    double wky = 0;
    for (const LossPoint& point : losses)
    {
        const double above = point.loss - b2;
        const double weight = std::pow(above, 4);
        const double k = static_cast<double>(point.round);
        w += weight;
        wk += weight * k;
        wy += weight / above;
        wkk += weight * k * k;
        wky += weight * k / above;
    }
    FittedLine line;
    const double determinant = w * wkk - wk * wk;
    if (!(determinant > 0))
    {
        return line;
    }
    line.law = {(w * wky - wk * wy) / determinant, (wy * wkk - wk * wky) / determinant, b2};
    const double first = static_cast<double>(losses.front().round);
    if (!(line.law.b0 > 0) || !(line.law.b0 * first + line.law.b1 > 0))
    {
        return line;
    }
    line.squares = 0;
    for (const LossPoint& point : losses)
    {
        const double k = static_cast<double>(point.round);
        line.squares += std::pow(1 / (line.law.b0 * k + line.law.b1) + b2 - point.loss, 2);
    }
    return line;
}

} // namespace

std::optional<LossLaw>
FitLoss(const std::vector<LossPoint>& losses)
{
    if (losses.size() < LEAST_LOSSES)
    {
        return std::nullopt;
    }
    double least = losses.front().loss;
    for (const LossPoint& point : losses)
    {
        least = std::min(least, point.loss);
    }
    // The values of b2 are below all losses, so that no weight is rounded to 0.
    const double step = least / LEVELS_TRIED;
    FittedLine best;
    int bestLevel = 0;
    for (int level = 0; level < LEVELS_TRIED; ++level)
    {
        const FittedLine line = FitLine(losses, level * step);
        if (line.squares < best.squares)
        {
            best = line;
            bestLevel = level;
        }
    }
    if (std::isinf(best.squares))
    {
        return std::nullopt;
    }
    const double golden = (std::sqrt(5.0) - 1) / 2;
    double low = std::max(0, bestLevel - 1) * step;
    double high = std::min((bestLevel + 1) * step, least * (1 - 1e-9));
    for (int i = 0; i < LEVEL_STEPS; ++i)
    {
        const double reach = golden * (high - low);
        const FittedLine left = FitLine(losses, high - reach);
        const FittedLine right = FitLine(losses, low + reach);
        best = left.squares < best.squares ? left : best;
        best = right.squares < best.squares ? right : best;
        left.squares <= right.squares ? high = low + reach : low = high - reach;
    }
    return best.law;
}

uint64_t
FindConvergence(const LossLaw& law, uint64_t first)
{
    const double start = law.b0 * static_cast<double>(first) + law.b1;
    const double round = std::ceil((start / CONVERGED_LOSS - law.b1) / law.b0);
    return static_cast<uint64_t>(std::clamp(round, static_cast<double>(first), MOST_ROUNDS));
}

} // namespace ns3::ddl
