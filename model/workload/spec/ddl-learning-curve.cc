// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-learning-curve.h"

#include "ddl-curve-shape.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

Ptr<CurveShape>
MakeShape(const LearningCurve& curve)
{
    const auto shape = curve.shape.Create<CurveShape>();
    NS_ABORT_MSG_UNLESS(shape && curve.half > 0, "a learning curve needs points, or a shape");
    return shape;
}

/** The place of an iteration on a list of points. */
struct Position
{
    const CurvePoint& before;
    const CurvePoint& behind;
    double part{0}; //!< fraction of the way from `before` to `behind`
};

Position
Locate(const std::vector<CurvePoint>& points, double iteration)
{
    const auto behind =
        std::upper_bound(points.begin(), points.end(), iteration, [](double x, const auto& point) {
            return x < point.iteration;
        });
    if (behind == points.begin())
    {
        return {points.front(), points.front(), 0};
    }
    const CurvePoint& before = *(behind - 1);
    if (behind == points.end())
    {
        return {before, before, 0};
    }
    return {before,
            *behind,
            (iteration - before.iteration) / (behind->iteration - before.iteration)};
}

double
Between(double from, double to, double part)
{
    return from + (to - from) * part;
}

/** \return the first iteration with that accuracy, by bisection, as shapes are monotonic */
std::optional<uint64_t>
FindOnShape(const LearningCurve& curve, double accuracy, uint64_t most)
{
    if (!curve.startAccuracy || !curve.endAccuracy)
    {
        return std::nullopt;
    }
    const auto shape = MakeShape(curve);
    const auto isThere = [&](uint64_t iteration) {
        const double progress = shape->GetProgress(iteration / curve.scale / curve.half);
        return Between(*curve.startAccuracy, *curve.endAccuracy, progress) >= accuracy;
    };
    if (most == 0 || (!isThere(1) && !isThere(most)))
    {
        return std::nullopt;
    }
    uint64_t below = 0;
    uint64_t there = isThere(1) ? 1 : most; // a falling curve has its best value at the start
    while (there - below > 1)
    {
        const uint64_t middle = below + (there - below) / 2;
        (isThere(middle) ? there : below) = middle;
    }
    return there;
}

/** \return the first iteration, maybe fractional, at which the points reach an accuracy */
std::optional<double>
FindOnPoints(const std::vector<CurvePoint>& points, double accuracy)
{
    if (points.front().accuracy >= accuracy)
    {
        return 0;
    }
    for (std::size_t i = 1; i < points.size(); ++i)
    {
        const CurvePoint& from = points[i - 1];
        const CurvePoint& to = points[i];
        if (to.accuracy >= accuracy)
        {
            const double part = (accuracy - from.accuracy) / (to.accuracy - from.accuracy);
            return Between(from.iteration, to.iteration, part);
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<double>
GetAccuracy(const LearningCurve& curve, double iterations)
{
    const double done = iterations / curve.scale;
    if (curve.points.empty())
    {
        if (!curve.startAccuracy || !curve.endAccuracy)
        {
            return std::nullopt;
        }
        const double progress = MakeShape(curve)->GetProgress(done / curve.half);
        return Between(*curve.startAccuracy, *curve.endAccuracy, progress);
    }
    const Position at = Locate(curve.points, done);
    return Between(at.before.accuracy, at.behind.accuracy, at.part);
}

std::optional<double>
GetLoss(const LearningCurve& curve, double iterations)
{
    const double done = iterations / curve.scale;
    if (curve.points.empty())
    {
        if (!curve.startLoss || !curve.endLoss)
        {
            return std::nullopt;
        }
        const double progress = MakeShape(curve)->GetProgress(done / curve.half);
        return Between(*curve.startLoss, *curve.endLoss, progress);
    }
    const Position at = Locate(curve.points, done);
    if (!at.before.loss || !at.behind.loss)
    {
        return std::nullopt;
    }
    return Between(*at.before.loss, *at.behind.loss, at.part);
}

std::optional<uint64_t>
FindAccuracy(const LearningCurve& curve, double accuracy, uint64_t most)
{
    if (curve.points.empty())
    {
        return FindOnShape(curve, accuracy, most);
    }
    const auto found = FindOnPoints(curve.points, accuracy);
    if (!found)
    {
        return std::nullopt;
    }
    // The addend keeps 3 from becoming 4, if a division has made it 3.0000000000000004.
    const double iteration = std::max(1.0, std::ceil(*found * curve.scale - 1e-9));
    return iteration <= most ? std::make_optional(static_cast<uint64_t>(iteration)) : std::nullopt;
}

} // namespace ns3::ddl
