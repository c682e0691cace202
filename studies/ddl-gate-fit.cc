// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gate-fit.h"

#include <boost/numeric/ublas/lu.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/vector.hpp>

namespace ns3::ddl
{

namespace
{

namespace ublas = boost::numeric::ublas;

constexpr std::size_t UNKNOWNS = 3;
constexpr double MEGABYTE = 1e6; //!< b and eta a megabyte are as large as a, which solves better

} // namespace

ContentionModel
FitContention(const std::vector<ContentionSample>& samples)
{
    ublas::matrix<double> normal = ublas::zero_matrix<double>(UNKNOWNS, UNKNOWNS);
    ublas::vector<double> right = ublas::zero_vector<double>(UNKNOWNS);
    for (const auto& sample : samples)
    {
        const double size = sample.bytes / MEGABYTE;
        ublas::vector<double> row(UNKNOWNS);
        row(0) = 1;
        row(1) = sample.tasks * size;
        row(2) = (sample.tasks - 1.0) * size;
        row /= sample.seconds; // the right side is then 1: relative errors
        normal += ublas::outer_prod(row, row);
        right += row;
    }
    ublas::permutation_matrix<std::size_t> permutation(UNKNOWNS);
    ublas::lu_factorize(normal, permutation);
    ublas::lu_substitute(normal, permutation, right);
    return {right(0), right(1) / MEGABYTE, right(2) / MEGABYTE};
}

} // namespace ns3::ddl
