// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURE_H
#define DDL_FIGURE_H

#include "app/results/ddl-result-set.h"

#include "ns3/ddl-policy.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** What a figure consists of, before it is drawn: equal results give equal bytes. */
struct FigureFiles
{
    std::string data;    //!< text of NAME-data.csv
    std::string script;  //!< text of NAME.gp, which reads NAME-data.csv from its own folder
    std::string nothing; //!< if not empty: why there is nothing to draw; then the others are empty
};

/**
 * A kind of picture of results. A figure is a Policy: its class `BarsFigure` is called `bars`, and
 * a new one needs no change anywhere else.
 */
class Figure : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param sets at least one
     * \return the figure of these results, or why there is none
     * \throws InputError when files of results are missing or damaged
     */
    FigureFiles Make(const std::vector<ResultSet>& sets) const;

    /** \return its short name, after which its files are called */
    std::string GetName() const;

  private:
    virtual FigureFiles DoMake(const std::vector<ResultSet>& sets) const = 0;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_FIGURE_H
