// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-min-cost-matching.h"

#include "ns3/abort.h"

#include <limits>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t NO_ROW = std::numeric_limits<std::size_t>::max();

/** Matches rows one after the other; prices of rows and columns keep reduced costs at 0 or above,
 * and at 0 where a row is matched. */
class Matching
{
  public:
    explicit Matching(const std::vector<std::vector<double>>& cost)
        : m_cost(cost),
          m_columns(cost.empty() ? 0 : cost.front().size()),
          m_rowPrice(cost.size(), 0),
          m_columnPrice(m_columns, 0),
          m_rowOf(m_columns, NO_ROW)
    {
        for (std::size_t row = 0; row < cost.size(); ++row)
        {
            AddRow(row);
        }
    }

    std::vector<uint32_t> GetColumns() const
    {
        std::vector<uint32_t> columns(m_cost.size());
        for (std::size_t column = 0; column < m_columns; ++column)
        {
            if (m_rowOf[column] != NO_ROW)
            {
                columns[m_rowOf[column]] = static_cast<uint32_t>(column);
            }
        }
        return columns;
    }

  private:
    /** Match one more row: Dijkstra over reduced costs to the nearest unmatched column. */
    void AddRow(std::size_t newRow)
    {
        const double infinity = std::numeric_limits<double>::infinity();
        std::vector<double> distance(m_columns, infinity);
        std::vector<std::size_t> before(m_columns, m_columns); //!< previous column on the path
        std::vector<bool> isDone(m_columns, false);
        std::size_t row = newRow;
        std::size_t last = m_columns; //!< column through which `row` was reached
        double length = 0;
        for (;;)
        {
            std::size_t next = m_columns;
            for (std::size_t column = 0; column < m_columns; ++column)
            {
                if (isDone[column])
                {
                    continue;
                }
                const double through =
                    length + m_cost[row][column] - m_rowPrice[row] - m_columnPrice[column];
                if (through < distance[column])
                {
                    distance[column] = through;
                    before[column] = last;
                }
                if (next == m_columns || distance[column] < distance[next])
                {
                    next = column;
                }
            }
            length = distance[next];
            isDone[next] = true;
            last = next;
            if (m_rowOf[next] == NO_ROW)
            {
                break;
            }
            row = m_rowOf[next];
        }
        SetPrices(newRow, distance, isDone, length);
        while (last != m_columns)
        {
            const std::size_t earlier = before[last];
            m_rowOf[last] = earlier == m_columns ? newRow : m_rowOf[earlier];
            last = earlier;
        }
    }

    void SetPrices(std::size_t newRow,
                   const std::vector<double>& distance,
                   const std::vector<bool>& isDone,
                   double length)
    {
        m_rowPrice[newRow] += length;
        for (std::size_t column = 0; column < m_columns; ++column)
        {
            if (isDone[column] && m_rowOf[column] != NO_ROW)
            {
                m_rowPrice[m_rowOf[column]] += length - distance[column];
                m_columnPrice[column] -= length - distance[column];
            }
        }
    }

    const std::vector<std::vector<double>>& m_cost;
    std::size_t m_columns;
    std::vector<double> m_rowPrice;
    std::vector<double> m_columnPrice;
    std::vector<std::size_t> m_rowOf; //!< row of each column
};

} // namespace

std::vector<uint32_t>
MatchAtLeastCost(const std::vector<std::vector<double>>& cost)
{
    for (const auto& row : cost)
    {
        NS_ABORT_MSG_UNLESS(row.size() == cost.front().size() && row.size() >= cost.size(),
                            "a matching needs rows of one length, no shorter than their number");
    }
    return Matching(cost).GetColumns();
}

} // namespace ns3::ddl
