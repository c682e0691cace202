// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-paper-figure-check.h"

#include "ddl-selection.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace ns3
{
namespace ddl
{

namespace
{

bool
IsFolderName(const std::string& name)
{
    return !name.empty() && name[0] != '.' &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return std::isalnum(c) || c == '-' || c == '_' || c == '.';
           });
}

std::string
Index(const std::string& list, std::size_t index)
{
    return "/" + list + "/" + std::to_string(index);
}

/** Gathers complaints about the selections of one figure. */
class SelectionCheck
{
  public:
    SelectionCheck(const PaperFigure& figure, FigureVariant variant)
        : m_figure(figure),
          m_variant(variant)
    {
        for (const auto& comparison : figure.comparisons)
        {
            const auto more = ListCombinations(comparison);
            m_runs.insert(m_runs.end(), more.begin(), more.end());
        }
    }

    void Check(const FigureValue& value, const std::string& pointer)
    {
        if (value.sweep.empty())
        {
            CheckOne(value.of, pointer + "/of");
            CheckOne(value.over, pointer + "/over");
            return;
        }
        const auto values = ListValues(m_figure, value.sweep);
        if (values.empty())
        {
            Complain(pointer + "/sweep", "no comparison varies " + value.sweep);
        }
        for (const auto& at : values)
        {
            CheckOne(With(value.of, value.sweep, at), pointer + "/of");
            const Selection over = WithDefault(value.over, value.sweep, at);
            CheckOne(Count(over) == 0 ? value.over : over, pointer + "/over");
        }
    }

    void Check(const FigureOrder& order, const std::string& pointer)
    {
        for (std::size_t i = 0; i < order.ascending.size(); ++i)
        {
            CheckOne(With(order.of, order.key, order.ascending[i]),
                     pointer + Index("ascending", i));
        }
    }

    std::vector<Diagnostic> TakeComplaints()
    {
        return std::move(m_complaints);
    }

  private:
    long Count(const Selection& wanted) const
    {
        return std::count_if(m_runs.begin(), m_runs.end(), [&wanted](const Selection& runs) {
            return Matches(wanted, runs);
        });
    }

    void CheckOne(const Selection& wanted, const std::string& pointer)
    {
        const long count = wanted.empty() ? 1 : Count(wanted);
        if (count > 1)
        {
            Complain(pointer,
                     std::to_string(count) + " combinations of the comparisons have " +
                         Describe(wanted) + " (name more keys)");
        }
        if (count == 0 && m_variant == FigureVariant::FULL)
        {
            Complain(pointer,
                     "no combination of the comparisons has " + Describe(wanted) +
                         " (keys are those of \"vary\" and \"set\")");
        }
    }

    void Complain(const std::string& pointer, const std::string& what)
    {
        m_complaints.push_back({m_figure.path + "/figure.json", pointer, what});
    }

    const PaperFigure& m_figure;
    FigureVariant m_variant;
    std::vector<Selection> m_runs; //!< of all comparisons
    std::vector<Diagnostic> m_complaints;
};

} // namespace

void
CheckNames(const PaperFigure& figure, JsonReader& reader)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < figure.comparisons.size(); ++i)
    {
        const std::string& name = figure.comparisons[i].name;
        const std::string pointer = Index("comparisons", i) + "/name";
        if (!IsFolderName(name))
        {
            reader.Report(pointer, "must do as the name of a folder (letters, digits, - _ .)");
        }
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            reader.Report(pointer, "another comparison has that name");
        }
        names.push_back(name);
    }
    if (names.empty())
    {
        reader.Report("/comparisons", "must have a comparison at least");
    }
    for (std::size_t i = 0; i < figure.pictures.size(); ++i)
    {
        for (std::size_t j = 0; j < figure.pictures[i].comparisons.size(); ++j)
        {
            const std::string& name = figure.pictures[i].comparisons[j];
            if (std::find(names.begin(), names.end(), name) == names.end())
            {
                reader.Report(Index("pictures", i) + Index("comparisons", j),
                              "there is no comparison \"" + name + "\" (one of " +
                                  JoinNames(names) + ")");
            }
        }
    }
}

std::vector<Diagnostic>
CheckSelections(const PaperFigure& figure, FigureVariant variant)
{
    SelectionCheck check(figure, variant);
    for (std::size_t i = 0; i < figure.values.size(); ++i)
    {
        check.Check(figure.values[i], Index("values", i));
    }
    for (std::size_t i = 0; i < figure.orders.size(); ++i)
    {
        check.Check(figure.orders[i], Index("orders", i));
    }
    return check.TakeComplaints();
}

} // namespace ddl
} // namespace ns3
