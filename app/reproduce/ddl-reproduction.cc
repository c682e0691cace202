// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduction.h"

#include "app/compare/ddl-compare-check.h"
#include "app/compare/ddl-comparison.h"
#include "app/process/ddl-folder-lock.h"
#include "ddl-figure-report.h"
#include "ddl-paper.h"
#include "ddl-reproduce-cost.h"
#include "ddl-reproduce-report.h"
#include "ddl-selection.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

constexpr int INTERRUPTED = 130; //!< exit status after Ctrl-C

/** \return true if a user's word means a figure: its folder, its number, or the digits of it */
bool
IsMeant(const PaperFigure& figure, const std::string& word)
{
    const auto digit = figure.number.find_first_of("0123456789");
    return word == figure.folder || word == figure.number ||
           (digit != std::string::npos && word == figure.number.substr(digit));
}

/** \return those of the figures that are asked for */
std::vector<const PaperFigure*>
Choose(const std::vector<PaperFigure>& figures, const std::vector<std::string>& words)
{
    std::vector<const PaperFigure*> chosen;
    std::vector<std::string> names;
    for (const auto& figure : figures)
    {
        names.push_back(figure.folder);
        const bool isMeant =
            words.empty() || std::any_of(words.begin(), words.end(), [&figure](const auto& word) {
                return IsMeant(figure, word);
            });
        if (isMeant)
        {
            chosen.push_back(&figure);
        }
    }
    std::vector<Diagnostic> complaints;
    for (const auto& word : words)
    {
        const bool isKnown =
            std::any_of(figures.begin(), figures.end(), [&word](const auto& figure) {
                return IsMeant(figure, word);
            });
        const std::string nearest = isKnown ? "" : NearestName(word, names);
        if (!isKnown)
        {
            complaints.push_back({"--figure",
                                  "",
                                  "the paper has no \"" + word + "\" (one of " + JoinNames(names) +
                                      ")" +
                                      (nearest.empty() ? "" : "; did you mean " + nearest + "?")});
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    return chosen;
}

/** \return what `ddl compare` would be asked for */
CompareOptions
MakeRequest(const ReproduceOptions& options,
            const PaperFigure& figure,
            const FigureComparison& comparison)
{
    CompareOptions request;
    request.scenario = comparison.scenario;
    request.variations = comparison.variations;
    for (const auto& [path, value] : comparison.settings)
    {
        request.settings.push_back(path + "=" + value);
    }
    request.plugins = options.plugins;
    request.seeds = comparison.seeds;
    request.jobs = options.jobs;
    request.resume = true;
    request.quiet = options.quiet;
    request.isTerminal = options.isTerminal;
    request.folder = GetComparisonFolder(options.folder, figure, comparison);
    request.runProgram = options.runProgram;
    request.checkProgram = options.checkProgram;
    return request;
}

/** The figures of a paper, on their way. */
class Reproduction
{
  public:
    Reproduction(const ReproduceOptions& options, std::ostream& out, std::ostream& err)
        : m_options(options),
          m_out(out),
          m_err(err),
          m_figures(OpenPaper(options.paper, options.variant)),
          m_chosen(Choose(m_figures, options.figures))
    {
    }

    int Run()
    {
        if (!CheckAll())
        {
            return INTERRUPTED;
        }
        PrepareFolder(m_options.folder);
        const FolderLock lock(m_options.folder);
        ReportOthers();
        int status = 0;
        for (std::size_t i = 0; i < m_chosen.size() && status != INTERRUPTED; ++i)
        {
            const int more = RunFigure(*m_chosen[i]);
            status = std::max({status, more, ReportOn(*m_chosen[i], more == INTERRUPTED)});
            WriteReport();
        }
        if (!m_options.quiet)
        {
            m_out << FormatOverview(m_done)
                  << "Report: " << (m_options.folder / "report.md").string() << '\n';
        }
        if (status == INTERRUPTED)
        {
            m_err << "interrupted; the same command goes on where it was\n";
        }
        return status;
    }

  private:
    /**
     * Report what a figure's runs have left, and say which expected values are missed.
     *
     * \return exit status: 1 if any is
     * \throws RunError when results are damaged; after an interruption that is said, and no more
     */
    int ReportOn(const PaperFigure& figure, bool isInterrupted)
    {
        try
        {
            m_done.push_back(ReportFigure(m_options.folder, figure));
        }
        catch (const InputError& error) // results of our own runs are not the user's input
        {
            if (!isInterrupted)
            {
                throw RunError(std::string("results of finished runs are gone or damaged:\n") +
                               error.what());
            }
            m_err << figure.number << " is left out of the report: " << error.what() << '\n';
            return 0;
        }
        m_reports[&figure] = m_done.back();
        for (const auto& missed : m_done.back().missed)
        {
            m_err << figure.number << ", not as expected: " << missed << '\n';
        }
        return m_done.back().missed.empty() ? 0 : 1;
    }

    /** Earlier calls may have left results of other figures: they stay in the report. */
    void ReportOthers()
    {
        for (const auto& figure : m_figures)
        {
            const bool isChosen =
                std::find(m_chosen.begin(), m_chosen.end(), &figure) != m_chosen.end();
            if (isChosen || !HasResults(figure))
            {
                continue;
            }
            try
            {
                m_reports[&figure] = ReportFigure(m_options.folder, figure);
            }
            catch (const InputError& error)
            {
                m_err << figure.number << " is left out of the report: " << error.what() << '\n';
            }
        }
    }

    /** \return true if each comparison of a figure has results of some run */
    bool HasResults(const PaperFigure& figure) const
    {
        return std::all_of(figure.comparisons.begin(),
                           figure.comparisons.end(),
                           [this, &figure](const FigureComparison& comparison) {
                               const auto folder =
                                   GetComparisonFolder(m_options.folder, figure, comparison);
                               return fs::exists(folder / "compare.csv");
                           });
    }

    /** \return false if it was interrupted; throws all complaints about all comparisons */
    bool CheckAll()
    {
        std::vector<Diagnostic> complaints;
        std::set<fs::path> seen;
        for (const auto* figure : m_chosen)
        {
            for (const auto& comparison : figure->comparisons)
            {
                const auto request = MakeRequest(m_options, *figure, comparison);
                if (seen.insert(request.folder).second && !Check(*figure, request, complaints))
                {
                    return false;
                }
            }
        }
        if (!complaints.empty())
        {
            throw InputError(complaints);
        }
        return true;
    }

    static bool Check(const PaperFigure& figure,
                      const CompareOptions& request,
                      std::vector<Diagnostic>& complaints)
    {
        try
        {
            return CheckCombinations(request);
        }
        catch (const InputError& error)
        {
            for (const auto& complaint : error.GetDiagnostics())
            {
                complaints.push_back({figure.folder, "", complaint.ToString()});
            }
            return true;
        }
    }

    /** \return exit status of its comparisons, those excepted that ran before for another figure */
    int RunFigure(const PaperFigure& figure)
    {
        int status = 0;
        for (const auto& comparison : figure.comparisons)
        {
            CompareOptions request = MakeRequest(m_options, figure, comparison);
            if (status == INTERRUPTED || !m_ran.insert(request.folder).second)
            {
                continue;
            }
            if (!m_options.quiet)
            {
                m_err << figure.number << ", " << comparison.name << ": " << CountRuns(comparison)
                      << " runs of " << comparison.scenario << '\n';
            }
            request.isChecked = true;
            const CostMeter meter(request);
            std::ostringstream table; // the report says the same
            const CompareOutcome outcome = Compare(request, table, m_err);
            meter.Write(outcome.kept > 0);
            status = std::max(status, outcome.status);
        }
        return status;
    }

    void WriteReport() const
    {
        std::vector<FigureReport> reports; // in the order of the figures
        for (const auto& figure : m_figures)
        {
            const auto found = m_reports.find(&figure);
            if (found != m_reports.end())
            {
                reports.push_back(found->second);
            }
        }
        WriteFileSafely(m_options.folder / "report.md",
                        FormatReport(m_options.paper, m_options.variant, reports));
    }

    const ReproduceOptions& m_options;
    std::ostream& m_out;
    std::ostream& m_err;
    std::vector<PaperFigure> m_figures;
    std::vector<const PaperFigure*> m_chosen;
    std::set<fs::path> m_ran;                             //!< folders of comparisons
    std::map<const PaperFigure*, FigureReport> m_reports; //!< looked up, never walked
    std::vector<FigureReport> m_done;                     //!< of this call
};

} // namespace

int
Reproduce(const ReproduceOptions& options, std::ostream& out, std::ostream& err)
{
    return Reproduction(options, out, err).Run();
}

} // namespace ddl
} // namespace ns3
