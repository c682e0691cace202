// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduction.h"

#include "app/json/ddl-json-text.h"
#include "app/page/ddl-page.h"
#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/text/ddl-complaints.h"
#include "ddl-figure-outcome.h"
#include "ddl-outcome-text.h"
#include "ddl-reproduce-forecast.h"
#include "ddl-reproduce-report.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

constexpr int INTERRUPTED = 130; //!< exit status after Ctrl-C

/** \return true if the user names this figure: by folder, by number, or by its digits */
bool
IsMeant(const PaperFigure& figure, const std::string& word)
{
    const auto digit = figure.number.find_first_of("0123456789");
    return word == figure.folder || word == figure.number ||
           (digit != std::string::npos && word == figure.number.substr(digit));
}

/** \return the figures that the user names, or all */
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
    Complaints complaints;
    for (const auto& word : words)
    {
        const bool isKnown =
            std::any_of(figures.begin(), figures.end(), [&word](const auto& figure) {
                return IsMeant(figure, word);
            });
        if (!isKnown)
        {
            complaints.Add({{"--figure",
                             "",
                             "the paper has no \"" + word + "\" (one of " + JoinNames(names) + ")" +
                                 SuggestName(word, names, "")}});
        }
    }
    complaints.Throw();
    return chosen;
}

/** \return a figure's comparison as options of `ddl compare` */
CompareOptions
MakeRequest(const ReproduceOptions& options,
            const PaperFigure& figure,
            const FigureComparison& comparison)
{
    CompareOptions request;
    static_cast<ManyRunsOptions&>(request) = options;
    request.folder = GetComparisonFolder(options.folder, figure, comparison);
    request.scenario = comparison.scenario;
    request.variations = comparison.variations;
    for (const auto& [path, value] : comparison.settings)
    {
        request.settings.push_back(path + "=" + value);
    }
    request.seeds = comparison.seeds;
    request.resume = true;
    return request;
}

/** A comparison to run, for the first figure that needs it. */
struct Work
{
    const PaperFigure* figure;
    const FigureComparison* comparison;
    CompareOptions request;
};

/** \return the comparisons that figures need, each once */
std::vector<Work>
ListWork(const ReproduceOptions& options, const std::vector<const PaperFigure*>& figures)
{
    std::vector<Work> works;
    std::set<fs::path> seen;
    for (const auto* figure : figures)
    {
        for (const auto& comparison : figure->comparisons)
        {
            Work work{figure, &comparison, MakeRequest(options, *figure, comparison)};
            if (seen.insert(work.request.folder).second)
            {
                works.push_back(std::move(work));
            }
        }
    }
    return works;
}

/** Runs the figures of a paper one after the other, and reports on them. */
class Reproduction
{
  public:
    Reproduction(const ReproduceOptions& options, std::ostream& out, std::ostream& err)
        : m_options(options),
          m_out(out),
          m_err(err),
          m_figures(OpenPaper(options.paper, options.variant)),
          m_chosen(Choose(m_figures, options.figures)),
          m_works(ListWork(options, m_chosen))
    {
    }

    int Run()
    {
        CheckAll();
        if (m_options.engine.isPlanned)
        {
            return PrintPlan() ? 0 : INTERRUPTED;
        }
        if (!PrintForecast())
        {
            return INTERRUPTED;
        }
        PrepareFolder(m_options.folder);
        const FolderLock lock(m_options.folder);
        if (m_options.engine.isDetached)
        {
            return SubmitAll();
        }
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
            Report numbers;
            numbers.Add(MakeNumbersTable(TakeReports(m_chosen)));
            m_out << FormatText(numbers) << "Report: " << (m_options.folder / "report.txt").string()
                  << ", and to look at: " << (m_options.folder / "report.html").string() << '\n';
        }
        if (status == INTERRUPTED)
        {
            m_err << "interrupted; the same command goes on where it was\n";
        }
        return status;
    }

  private:
    /**
     * Report the results of a figure's runs, and print which expected values are missed.
     *
     * \return exit status: 1 if any expected value is missed, else 0
     * \throws RunError when results are damaged; after an interruption this is only printed
     */
    int ReportOn(const PaperFigure& figure, bool isInterrupted)
    {
        try
        {
            m_reports[&figure] = ReportFigure(m_options.folder, figure);
        }
        catch (const InputError& error) // results of our own runs are not the user's input
        {
            if (!isInterrupted)
            {
                throw RunError(std::string("results of finished runs are gone or damaged:\n") +
                               error.what());
            }
            NoteLeftOut(figure, error);
            return 0;
        }
        const FigureReport& report = m_reports[&figure];
        if (report.IsComplete()) // fewer seeds must not replace a complete file
        {
            const fs::path folder = m_options.folder / figure.folder;
            PrepareFolder(folder); // figures without runs or pictures of their own have none
            WriteFileSafely(folder / "expected.csv",
                            FormatExpected(figure, m_options.variant, report.outcome));
        }
        for (const auto& missed : report.missed)
        {
            m_err << figure.number << ", not as expected: " << missed << '\n';
        }
        return report.missed.empty() ? 0 : 1;
    }

    /** Forget a figure whose results are damaged. */
    void NoteLeftOut(const PaperFigure& figure, const InputError& error)
    {
        m_reports.erase(&figure);
        m_err << figure.number << " is left out of the report: " << error.what() << '\n';
    }

    /** Report figures that this call does not run, if earlier calls have left results of them. */
    void ReportOthers()
    {
        for (const auto& figure : m_figures)
        {
            const bool isChosen =
                std::find(m_chosen.begin(), m_chosen.end(), &figure) != m_chosen.end();
            if (isChosen || !HasResults(m_options.folder, figure))
            {
                continue;
            }
            try
            {
                FigureReport& report = m_reports[&figure];
                report = ReportFigure(m_options.folder, figure);
                NoteOtherSet(report);
            }
            catch (const InputError& error)
            {
                NoteLeftOut(figure, error);
            }
        }
    }

    /** If a figure that this call does not run lacks runs, say so instead of what is missed. */
    void NoteOtherSet(FigureReport& report) const
    {
        if (!report.IsComplete())
        {
            report.missed.clear();
            report.problems.push_back("earlier calls have not run all runs of this set; " +
                                      GetReproduceCommand(m_options.paper, m_options.variant) +
                                      " --figure=" + report.figure->folder + " does.");
        }
    }

    /** Check all comparisons. \throws InputError with all complaints */
    void CheckAll() const
    {
        Complaints complaints;
        for (const auto& work : m_works)
        {
            try
            {
                CheckCombinations(work.request);
            }
            catch (const InputError& error)
            {
                for (const auto& complaint : error.GetDiagnostics())
                {
                    complaints.Add({{work.figure->folder, "", complaint.ToString()}});
                }
            }
        }
        complaints.Throw();
    }

    /** Print the runs of all comparisons, and write them to files. \return false if interrupted */
    bool PrintPlan()
    {
        std::vector<StudyRun> all;
        for (const auto& work : m_works)
        {
            const auto runs = PlanStudy(work.request);
            if (!runs)
            {
                return false;
            }
            const std::string comparison = work.request.folder.filename().string();
            for (StudyRun run : *runs)
            {
                run.name = work.figure->folder + "_" + comparison + "_" + run.name;
                all.push_back(std::move(run));
            }
        }
        WritePlan(all, m_options.folder, m_out);
        return true;
    }

    /** With --all, print the runs to do and their cost. \return false if interrupted */
    bool PrintForecast()
    {
        if (m_options.variant != FigureVariant::ALL || m_options.quiet)
        {
            return true;
        }
        std::vector<ComparisonForecast> comparisons;
        for (const auto& [figure, comparison, request] : m_works)
        {
            const auto runs = PlanComparison(request);
            if (!runs)
            {
                return false;
            }
            comparisons.push_back(ForecastComparison(figure->number + ", " + comparison->name,
                                                     *runs,
                                                     comparison->price));
        }
        m_err << FormatForecast(comparisons, m_options.jobs);
        return true;
    }

    /** Submit the runs of all figures; a later call without --detach waits for them and reports. */
    int SubmitAll()
    {
        int status = 0;
        for (const auto* figure : m_chosen)
        {
            status = std::max(status, RunFigure(*figure));
        }
        return status;
    }

    /** Run a figure's comparisons that have not run for another figure. \return exit status */
    int RunFigure(const PaperFigure& figure)
    {
        int status = 0;
        for (auto& [first, comparison, request] : m_works)
        {
            if (first != &figure || status == INTERRUPTED)
            {
                continue;
            }
            if (!m_options.quiet)
            {
                m_err << figure.number << ", " << comparison->name << ": " << CountRuns(*comparison)
                      << " runs of " << comparison->scenario << '\n';
            }
            request.isChecked = true;
            std::ostringstream table; // not printed: the report has the same numbers
            status = std::max(status, Compare(request, table, m_err));
        }
        return status;
    }

    /** \return the reports of those figures that have one */
    std::vector<FigureReport> TakeReports(const std::vector<const PaperFigure*>& figures) const
    {
        std::vector<FigureReport> reports;
        for (const auto* figure : figures)
        {
            const auto found = m_reports.find(figure);
            if (found != m_reports.end())
            {
                reports.push_back(found->second);
            }
        }
        return reports;
    }

    void WriteReport() const
    {
        const Report report = MakeReproductionReport(m_options.paper,
                                                     m_options.variant,
                                                     TakeReports(Choose(m_figures, {})));
        std::error_code ignored;
        fs::remove(m_options.folder / "report.md", ignored); // what versions before 0.2.0 wrote
        WriteFileSafely(m_options.folder / "report.txt", FormatText(report));
        WriteFileSafely(m_options.folder / REPRODUCTION_FILE,
                        FormatReproductionFile(m_options.paper, m_options.variant));
        WriteFileSafely(m_options.folder / "report.html", FormatPage(report));
    }

    const ReproduceOptions& m_options;
    std::ostream& m_out;
    std::ostream& m_err;
    std::vector<PaperFigure> m_figures;
    std::vector<const PaperFigure*> m_chosen;
    std::vector<Work> m_works;
    std::map<const PaperFigure*, FigureReport> m_reports; //!< for lookups only: keys are pointers
};

} // namespace

int
Reproduce(const ReproduceOptions& options, std::ostream& out, std::ostream& err)
{
    return Reproduction(options, out, err).Run();
}

Arguments
MakeReproduceArguments()
{
    Arguments arguments(
        "ddl reproduce",
        "Run the figures of a paper, and set our numbers beside the published ones.");
    const auto papers = ListPapers();
    arguments.AddWord("PAPER",
                      papers.empty() ? "a paper that a folder below scenarios/ has a figure of"
                                     : "one of " + JoinNames(papers));
    arguments.AddFlag("quick", "fewer seeds and values: minutes instead of an hour");
    arguments.AddFlag("all", "more seeds and values, where figures have them; says first how long");
    arguments.AddOptions("figure",
                         "FIGURE,...",
                         "these alone, by number or folder (default: all of the paper)");
    arguments.AddOption("jobs", "N", "runs at a time (default: one for each core)");
    arguments.AddFlag("resume", "as always: keep finished runs, and collect submitted ones");
    arguments.AddOption("out", "DIR", "where results go (default: results/PAPER)");
    arguments.AddOptions("plugin", "FILE", "shared library with more policies");
    arguments.AddFlag("quiet", "no progress and no table; errors are shown");
    AddEngineOptions(arguments);
    arguments.SetNotes(
        "Writes DIR/report.txt and DIR/report.html: what is met and missed on top, then a section\n"
        "and its pictures for each figure. Runs that an earlier call has finished are kept: after "
        "an interruption, call it again.\n"
        "Exit status: 0 done, 1 a run failed or an expected value is missed (DIR/report.txt says\n"
        "which), 2 bad input (nothing ran), 130 interrupted.");
    return arguments;
}

ReproduceOptions
ReadReproduceOptions(const Arguments& arguments)
{
    const std::string paper = arguments.Get("PAPER");
    ReproduceOptions options;
    static_cast<ManyRunsOptions&>(options) =
        ReadManyRunsOptions(arguments, "ddl-reproduce", "results/" + paper);
    options.paper = paper;
    options.figures = arguments.GetList("figure");
    if (arguments.Has("quick") && arguments.Has("all"))
    {
        throw InputError({{"--quick", "", "runs less than usual, and --all more: choose one"}});
    }
    options.variant = arguments.Has("quick") ? FigureVariant::QUICK
                      : arguments.Has("all") ? FigureVariant::ALL
                                             : FigureVariant::FULL;
    return options;
}

} // namespace ns3::ddl
