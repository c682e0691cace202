// SPDX-License-Identifier: GPL-2.0-only
// Random matrices of costs, with the matching of each that MatchAtLeastCost finds, as text for
// ddl-matching-optimum, which finds the least cost by linear programming and does not link ns-3.
//
//   ddl-matching-instances COUNT      ROWS COLUMNS, the costs row by row, the column of each row
#include "ddl-instance-count.h"

#include "ns3/ddl-min-cost-matching.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <random>
#include <vector>

/** 1 to 40 rows, up to 120 columns; costs of every other instance are few, so that many are equal
 */
int
main(int argc, char* argv[])
{
    const auto count = argc == 2 ? ns3::ddl::ParseInstanceCount(argv[1]) : std::nullopt;
    if (!count)
    {
        std::cerr << "usage: ddl-matching-instances COUNT (1 to 1000000)\n";
        return 2;
    }
    std::mt19937 random(11);
    const auto draw = [&random](int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random);
    };
    for (uint32_t i = 0; i < *count; ++i)
    {
        const int rows = draw(1, 40);
        const int columns = draw(rows, 3 * rows);
        const int most = i % 2 == 0 ? 5 : 100'000;
        std::vector<std::vector<double>> cost(rows, std::vector<double>(columns));
        std::cout << rows << ' ' << columns << '\n';
        for (auto& row : cost)
        {
            std::generate(row.begin(), row.end(), [&]() { return draw(-most, most); });
            for (const double each : row)
            {
                std::cout << each << ' ';
            }
            std::cout << '\n';
        }
        for (const uint32_t column : ns3::ddl::MatchAtLeastCost(cost))
        {
            std::cout << column << ' ';
        }
        std::cout << '\n';
    }
    return 0;
}
