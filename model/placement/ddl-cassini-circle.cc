// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cassini-circle.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double RELATIVE_ERROR = 1e-9; //!< relative error of sums of seconds
constexpr double FINEST = 1.001;        //!< least ratio of two perimeters that are tried
constexpr double MOST_WORK = 100'000;   //!< bound of rotations times phases of the jobs of a link
constexpr uint32_t MOST_SWEEPS = 10;    //!< rounds of the search with more jobs
constexpr uint32_t MOST_PHASES = 64;    //!< iterations of a job that are told apart on a circle
constexpr double SEND_GUARD = 0.05;     //!< of an iteration, on both sides of what is sent

/** \return iterations of each job on a circle, and the longest stretch of one of them */
std::pair<std::vector<uint32_t>, double>
FitOn(double perimeter, const std::vector<double>& iterations)
{
    std::vector<uint32_t> counts;
    double longest = 1;
    for (const double iteration : iterations)
    {
        const double count =
            std::max(1.0, std::floor(perimeter / iteration * (1 + RELATIVE_ERROR)));
        counts.push_back(static_cast<uint32_t>(std::min(count, 4e9)));
        longest = std::max(longest, perimeter / (count * iteration));
    }
    return {counts, longest};
}

/** \return perimeters at which some job has a whole number of iterations, ascending */
std::vector<double>
ListPerimeters(const std::vector<double>& iterations, double least, double most)
{
    std::vector<double> perimeters;
    for (const double iteration : iterations)
    {
        double count = std::max(1.0, std::ceil(least / iteration * (1 - RELATIVE_ERROR)));
        while (count * iteration <= most * (1 + RELATIVE_ERROR))
        {
            perimeters.push_back(count * iteration);
            count = std::max(count + 1, std::floor(count * FINEST));
        }
    }
    std::sort(perimeters.begin(), perimeters.end());
    return perimeters;
}

/** The demand on a circle changes by so much at a place. */
using DemandChange = std::pair<double, double>;

/** Note when a job sends, once in every iteration. */
void
AddChanges(const UnifiedCircle& circle,
           std::size_t job,
           const LinkPattern& pattern,
           double shift,
           std::vector<DemandChange>& changes)
{
    const double iteration = circle.GetIteration(job);
    const double part = std::min(1.0, pattern.up / iteration);
    if (part > 1 - RELATIVE_ERROR || circle.iterations[job] > MOST_PHASES)
    {
        changes.emplace_back(0, pattern.demand * part);
        return;
    }
    for (uint32_t i = 0; i < circle.iterations[job]; ++i)
    {
        double begin = std::fmod(shift + i * iteration, circle.perimeter);
        begin += begin < 0 ? circle.perimeter : 0;
        const double end = begin + pattern.up;
        changes.emplace_back(begin, pattern.demand);
        changes.emplace_back(end > circle.perimeter ? end - circle.perimeter : end,
                             -pattern.demand);
        if (end > circle.perimeter)
        {
            changes.emplace_back(0, pattern.demand);
        }
    }
}

/** What a set of rotations achieves: the score, and the score if all jobs send for longer. */
using Merit = std::pair<double, double>;

/** A search for the rotations of some jobs. */
class RotationSearch
{
  public:
    RotationSearch(const UnifiedCircle& circle,
                   const std::vector<LinkPattern>& patterns,
                   double degrees)
        : m_circle(circle),
          m_patterns(patterns),
          m_wide(patterns),
          m_steps(std::max(1.0, std::round(360 / degrees))),
          m_shifts(patterns.size(), 0)
    {
        for (std::size_t job = 0; job < m_wide.size(); ++job)
        {
            m_wide[job].up += 2 * SEND_GUARD * circle.GetIteration(job);
        }
    }

    LinkRotation Find()
    {
        const double rotations = std::pow(m_steps, m_patterns.size() - 1);
        if (m_patterns.size() < 3 || rotations * CountPhases() <= MOST_WORK)
        {
            TryAll(1);
        }
        else
        {
            m_best = {GetMerit(), m_shifts};
            const double jobs = static_cast<double>(m_patterns.size());
            const double work = m_steps * jobs * CountPhases(); // of a round
            const double rounds = std::min(double{MOST_SWEEPS}, std::ceil(MOST_WORK / work));
            for (double round = 0; round < rounds && Improve(); ++round)
            {
            }
        }
        return {m_best.first.first, m_best.second};
    }

  private:
    /** \return times that jobs begin to send in a turn */
    double CountPhases() const
    {
        double phases = 0;
        for (const uint32_t iterations : m_circle.iterations)
        {
            phases += std::min(iterations, MOST_PHASES);
        }
        return phases;
    }

    double GetShift(std::size_t job, double step) const
    {
        return m_circle.GetIteration(job) * step / m_steps;
    }

    Merit GetMerit() const
    {
        const double score = GetCompatibility(m_circle, m_patterns, m_shifts);
        return {score,
                score < m_best.first.first - RELATIVE_ERROR
                    ? -std::numeric_limits<double>::infinity() // it makes no difference
                    : GetCompatibility(m_circle, m_wide, m_shifts)};
    }

    /** Keep the present rotations if they are better. \return whether they are */
    bool Note()
    {
        const Merit merit = GetMerit();
        const Merit& best = m_best.first;
        const bool isBetter = merit.first > best.first + RELATIVE_ERROR ||
                              (merit.first > best.first - RELATIVE_ERROR &&
                               merit.second > best.second + RELATIVE_ERROR);
        if (isBetter)
        {
            m_best = {merit, m_shifts};
        }
        return isBetter;
    }

    void TryAll(std::size_t job)
    {
        if (job >= m_patterns.size())
        {
            Note();
            return;
        }
        for (double step = 0; step < m_steps; ++step)
        {
            m_shifts[job] = GetShift(job, step);
            TryAll(job + 1);
        }
    }

    /** Turn one job after the other. \return whether the score became better */
    bool Improve()
    {
        bool isBetter = false;
        for (std::size_t job = 1; job < m_patterns.size(); ++job)
        {
            m_shifts = m_best.second;
            for (double step = 0; step < m_steps; ++step)
            {
                m_shifts[job] = GetShift(job, step);
                isBetter = Note() || isBetter;
            }
        }
        return isBetter;
    }

    const UnifiedCircle& m_circle;
    const std::vector<LinkPattern>& m_patterns;
    std::vector<LinkPattern> m_wide; //!< patterns of jobs that send for longer
    double m_steps;                  //!< rotations of a job
    std::vector<double> m_shifts;
    std::pair<Merit, std::vector<double>> m_best{
        {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()},
        {}};
};

} // namespace

UnifiedCircle
MakeCircle(const std::vector<double>& iterations, double stretch, uint32_t turns)
{
    NS_ABORT_MSG_IF(iterations.empty() || turns == 0, "a circle has jobs and a perimeter");
    const double longest = *std::max_element(iterations.begin(), iterations.end());
    NS_ABORT_MSG_IF(*std::min_element(iterations.begin(), iterations.end()) <= 0,
                    "an iteration takes time");
    UnifiedCircle best;
    double least = std::numeric_limits<double>::infinity();
    for (const double perimeter : ListPerimeters(iterations, longest, longest * turns))
    {
        auto [counts, worst] = FitOn(perimeter, iterations);
        if (worst < least - RELATIVE_ERROR)
        {
            least = worst;
            best = {perimeter, std::move(counts)};
        }
        if (least <= 1 + stretch + RELATIVE_ERROR)
        {
            break;
        }
    }
    return best;
}

double
GetCompatibility(const UnifiedCircle& circle,
                 const std::vector<LinkPattern>& patterns,
                 const std::vector<double>& shifts)
{
    std::vector<DemandChange> changes;
    for (std::size_t job = 0; job < patterns.size(); ++job)
    {
        AddChanges(circle, job, patterns[job], shifts[job], changes);
    }
    std::sort(changes.begin(), changes.end());
    double excess = 0;
    double demand = 0;
    double since = 0;
    for (const auto& [place, change] : changes)
    {
        excess += std::max(0.0, demand - 1) * (place - since);
        since = place;
        demand += change;
    }
    excess += std::max(0.0, demand - 1) * (circle.perimeter - since);
    return 1 - excess / circle.perimeter;
}

LinkRotation
FindRotation(const UnifiedCircle& circle, const std::vector<LinkPattern>& patterns, double degrees)
{
    NS_ABORT_MSG_IF(patterns.empty() || patterns.size() != circle.iterations.size() || degrees <= 0,
                    "a circle has a pattern of each job, and rotations differ");
    return RotationSearch(circle, patterns, degrees).Find();
}

} // namespace ns3::ddl
