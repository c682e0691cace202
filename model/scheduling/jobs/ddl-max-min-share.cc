// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-max-min-share.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>

#ifdef DDL_LP_SOLVE
#include <lpsolve/lp_lib.h>
#endif

namespace ns3::ddl
{

double
GetEqualShareThroughput(const std::vector<uint32_t>& pools, const std::vector<double>& speeds)
{
    const double gpus = std::accumulate(pools.begin(), pools.end(), 0.0);
    double sum = 0;
    for (std::size_t j = 0; j < pools.size(); ++j)
    {
        sum += speeds[j] * pools[j] / gpus;
    }
    return sum;
}

#ifndef DDL_LP_SOLVE

bool
HasShareSolver()
{
    return false;
}

MaxMinShares
SolveMaxMinShares(const std::vector<uint32_t>& /* pools */,
                  const std::vector<ShareDemand>& /* jobs */)
{
    throw RunError("ddl was built without lp_solve, which solves linear programs "
                   "(on Debian: apt-get install liblpsolve55-dev, then build again)");
}

#else

bool
HasShareSolver()
{
    return true;
}

namespace
{

/** Deletes a program of lp_solve. */
struct ProgramDeleter
{
    void operator()(lprec* program) const
    {
        delete_lp(program);
    }
};

using Program = std::unique_ptr<lprec, ProgramDeleter>;

/** One row: the sum of coefficients times variables, which lp_solve numbers from 1. */
struct ProgramRow
{
    std::vector<int> variables;
    std::vector<double> coefficients;

    void Add(int variable, double coefficient)
    {
        variables.push_back(variable);
        coefficients.push_back(coefficient);
    }
};

void
AddRow(const Program& program, ProgramRow row, int kind, double limit)
{
    if (!add_constraintex(program.get(),
                          static_cast<int>(row.variables.size()),
                          row.coefficients.data(),
                          row.variables.data(),
                          kind,
                          limit))
    {
        throw RunError("lp_solve takes no more rows");
    }
}

/** Jobs with equal demands, which get equal shares. */
struct ShareClass
{
    ShareDemand demand; //!< each one's
    uint32_t jobs{0};   //!< number of jobs
};

/** The classes of jobs, and the class of each job. */
struct ShareClasses
{
    std::vector<ShareClass> classes;
    std::vector<std::size_t> ofJob;
};

ShareClasses
ClassifyJobs(const std::vector<ShareDemand>& jobs)
{
    ShareClasses answer;
    std::map<std::tuple<uint32_t, double, std::vector<double>>, std::size_t> known;
    for (const ShareDemand& job : jobs)
    {
        const auto [found, isNew] =
            known.try_emplace({job.gpus, job.weight, job.speeds}, answer.classes.size());
        if (isNew)
        {
            answer.classes.push_back({job, 0});
        }
        ++answer.classes[found->second].jobs;
        answer.ofJob.push_back(found->second);
    }
    return answer;
}

/** \return the program: variable 1 is the least throughput, then come each job's X_mj, class by
 * class */
Program
MakeShareProgram(const std::vector<uint32_t>& pools, const std::vector<ShareClass>& classes)
{
    const auto types = static_cast<int>(pools.size());
    Program program(make_lp(0, 1 + static_cast<int>(classes.size()) * types));
    if (!program)
    {
        throw RunError("lp_solve: no memory");
    }
    set_verbose(program.get(), CRITICAL);
    set_maxim(program.get());
    set_obj(program.get(), 1, 1);
    set_add_rowmode(program.get(), TRUE);
    std::vector<ProgramRow> ofPool(pools.size());
    int variable = 1;
    for (const auto& [job, count] : classes)
    {
        const double equal = GetEqualShareThroughput(pools, job.speeds);
        ProgramRow throughput;
        ProgramRow time;
        throughput.Add(1, -1);
        for (std::size_t j = 0; j < pools.size(); ++j)
        {
            ++variable;
            throughput.Add(variable, job.gpus * job.speeds[j] / (job.weight * equal));
            time.Add(variable, 1);
            ofPool[j].Add(variable, static_cast<double>(job.gpus) * count);
        }
        AddRow(program, throughput, GE, 0);
        AddRow(program, time, LE, 1);
    }
    for (std::size_t j = 0; j < pools.size(); ++j)
    {
        AddRow(program, ofPool[j], LE, pools[j]);
    }
    set_add_rowmode(program.get(), FALSE);
    variable = 1;
    for (const ShareClass& each : classes)
    {
        for (const uint32_t pool : pools)
        {
            ++variable;
            if (pool < each.demand.gpus)
            {
                set_upbo(program.get(), variable, 0);
            }
        }
    }
    return program;
}

} // namespace

MaxMinShares
SolveMaxMinShares(const std::vector<uint32_t>& pools, const std::vector<ShareDemand>& jobs)
{
    MaxMinShares answer;
    if (jobs.empty())
    {
        return answer;
    }
    const auto [classes, ofJob] = ClassifyJobs(jobs);
    const Program program = MakeShareProgram(pools, classes);
    const int status = solve(program.get());
    if (status != OPTIMAL)
    {
        throw RunError("lp_solve found no optimum: " +
                       std::string(get_statustext(program.get(), status)));
    }
    std::vector<double> values(1 + classes.size() * pools.size());
    get_variables(program.get(), values.data());
    answer.least = values.front();
    for (double& share : values)
    {
        share = std::clamp(share, 0.0, 1.0);
    }
    for (const std::size_t each : ofJob)
    {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(1 + each * pools.size());
        answer.shares.emplace_back(first, first + static_cast<std::ptrdiff_t>(pools.size()));
    }
    return answer;
}

#endif // DDL_LP_SOLVE

} // namespace ns3::ddl
