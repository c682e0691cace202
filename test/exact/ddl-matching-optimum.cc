// SPDX-License-Identifier: GPL-2.0-only
// Holds the matchings that ddl-matching-instances writes against the optimum of the linear program
// of the assignment problem, whose vertices are matchings. Links GLPK, which is GPL-3, and nothing
// of ns-3 or of the module.
#include <cmath>
#include <glpk.h>
#include <iostream>
#include <set>
#include <vector>

namespace
{

using Matrix = std::vector<std::vector<double>>;

/** \return the least cost of giving each row a column, no column twice */
double
FindLeastCost(const Matrix& cost)
{
    const int rows = static_cast<int>(cost.size());
    const int columns = static_cast<int>(cost.front().size());
    glp_prob* const program = glp_create_prob();
    glp_set_obj_dir(program, GLP_MIN);
    glp_add_rows(program, rows + columns); // all rows of the matrix, then its columns
    for (int i = 1; i <= rows + columns; ++i)
    {
        glp_set_row_bnds(program, i, i <= rows ? GLP_FX : GLP_UP, i <= rows ? 1 : 0, 1);
    }
    glp_add_cols(program, rows * columns);
    for (int row = 0; row < rows; ++row)
    {
        for (int column = 0; column < columns; ++column)
        {
            const int pair = 1 + row * columns + column;
            const int uses[] = {0, 1 + row, 1 + rows + column}; // GLPK counts from 1
            const double once[] = {0, 1, 1};
            glp_set_col_bnds(program, pair, GLP_LO, 0, 0);
            glp_set_obj_coef(program, pair, cost[row][column]);
            glp_set_mat_col(program, pair, 2, uses, once);
        }
    }
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_ERR;
    const bool isSolved = glp_simplex(program, &options) == 0 && glp_get_status(program) == GLP_OPT;
    const double least = isSolved ? glp_get_obj_val(program) : NAN;
    glp_delete_prob(program);
    return least;
}

/** \return what the matching costs; NaN: it is none */
double
FindCost(const Matrix& cost, const std::vector<std::size_t>& matching)
{
    double sum = 0;
    std::set<std::size_t> used;
    for (std::size_t row = 0; row < cost.size(); ++row)
    {
        const bool isRight = matching[row] < cost[row].size() && used.insert(matching[row]).second;
        sum += isRight ? cost[row][matching[row]] : NAN;
    }
    return sum;
}

} // namespace

int
main()
{
    int instances = 0;
    int wrong = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;
    while (std::cin >> rows >> columns)
    {
        Matrix cost(rows, std::vector<double>(columns));
        std::vector<std::size_t> matching(rows);
        for (auto& row : cost)
        {
            for (double& each : row)
            {
                std::cin >> each;
            }
        }
        for (std::size_t& column : matching)
        {
            std::cin >> column;
        }
        if (!std::cin)
        {
            std::cerr << "instance " << instances << " is cut off\n";
            return 1;
        }
        const double found = FindCost(cost, matching);
        const double least = FindLeastCost(cost);
        if (!(std::abs(found - least) < 1e-6 * (1 + std::abs(least)))) // also where one is NaN
        {
            std::cerr << "instance " << instances << ": " << found << ", at least " << least
                      << '\n';
            ++wrong;
        }
        ++instances;
    }
    std::cout << instances << " matchings, " << wrong << " of more than the least cost\n";
    return instances > 0 && wrong == 0 ? 0 : 1;
}
