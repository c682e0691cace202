// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-figure.h"

#include "app/text/ddl-complaints.h"
#include "ddl-gnuplot-chart.h"
#include "ddl-gnuplot.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** Remove what an earlier drawing left: an old picture must not stand for new results. */
void
RemoveOld(const std::string& name, const fs::path& folder)
{
    std::error_code ignored;
    std::vector<std::string> files{name + "-data.csv", name + ".gp"};
    for (const auto& format : PICTURE_FORMATS)
    {
        files.push_back(name + "." + format);
    }
    for (const auto& file : files)
    {
        fs::remove(folder / file, ignored);
    }
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Figure);

TypeId
Figure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Figure").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

Chart
Figure::Make(const std::vector<ResultSet>& sets) const
{
    NS_ABORT_MSG_IF(sets.empty(), "a figure of no results");
    Chart chart = DoMake(sets);
    NS_ABORT_MSG_IF(chart.panels.empty() == chart.nothing.empty(),
                    "figure " << GetInstanceTypeId().GetName()
                              << " neither draws nor says why not");
    return chart;
}

const ResultSet*
FindOneWithRuns(const std::vector<ResultSet>& sets)
{
    const auto found = std::find_if(sets.begin(), sets.end(), [](const ResultSet& set) {
        return !set.ListRuns().empty();
    });
    return found == sets.end() ? nullptr : &*found;
}

void
RemoveFigures(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure))
    {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".gp" && fs::exists(folder / (name + "-data.csv"), failure))
        {
            names.push_back(name);
        }
    }
    for (const auto& name : names)
    {
        RemoveOld(name, folder);
    }
}

void
CheckFigures(const std::vector<std::string>& names, const PictureStyle& style)
{
    Complaints complaints;
    const auto check = [&complaints](const std::string& option,
                                     const std::vector<std::string>& given,
                                     const std::vector<std::string>& menu) {
        for (const auto& name : given)
        {
            if (std::find(menu.begin(), menu.end(), name) == menu.end())
            {
                complaints.Add({{option,
                                 "",
                                 "there is no \"" + name + "\" (one of " + JoinNames(menu) + ")" +
                                     SuggestName(name, menu, "")}});
            }
        }
    };
    check("--figure", names, ListPolicies(Figure::GetTypeId()));
    check("--format", style.formats, PICTURE_FORMATS);
    check("--width", {style.width}, PICTURE_WIDTHS);
    complaints.Throw();
}

DrawnFigures
DrawFigures(const std::vector<std::string>& names,
            const std::vector<ResultSet>& sets,
            const fs::path& folder,
            const PictureStyle& style)
{
    CheckFigures(names, style);
    DrawnFigures all;
    for (const auto& name : names)
    {
        try
        {
            RemoveOld(name, folder); // Make may fail
            const Chart chart = CreatePolicy<Figure>(name)->Make(sets);
            const auto drawn = DrawChart(name, chart, folder, style);
            const auto append = [](auto& list, const auto& more) {
                list.insert(list.end(), more.begin(), more.end());
            };
            append(all.pictures, drawn.pictures);
            append(all.warnings, drawn.warnings);
            append(all.empty, drawn.empty);
        }
        catch (const std::exception& error)
        {
            all.warnings.push_back("no figure " + name + ": " + error.what());
        }
    }
    return all;
}

DrawnFigures
DrawChart(const std::string& name,
          const Chart& chart,
          const fs::path& folder,
          const PictureStyle& style)
{
    RemoveOld(name, folder);
    const GnuplotFiles files = FormatForGnuplot(name, chart);
    DrawnFigures drawn;
    if (!files.nothing.empty())
    {
        drawn.empty.push_back("no figure " + name + ": " + files.nothing);
        return drawn;
    }
    PrepareFolder(folder);
    WriteFileSafely(folder / (name + "-data.csv"), files.data);
    WriteFileSafely(folder / (name + ".gp"), files.script);
    for (const auto& format : style.formats)
    {
        const std::string warning =
            DrawWithGnuplot(folder, name, format, style.width, files.send, style.isTitled);
        if (warning.empty())
        {
            drawn.pictures.push_back(folder / (name + "." + format));
        }
        else
        {
            drawn.warnings.push_back("no figure " + name + ": " + warning);
        }
    }
    return drawn;
}

Arguments
MakePlotArguments()
{
    std::string menu;
    for (const auto& name : ListPolicies(Figure::GetTypeId()))
    {
        menu += "  " + name + ": " + CreatePolicy<Figure>(name)->GetSummary() + "\n";
    }
    Arguments arguments("ddl plot", "Draw figures from the results of runs and comparisons.");
    arguments.AddWord("DIR", "folder of results; several are compared", 1, Arguments::ANY_NUMBER);
    arguments.AddOptions("figure", "NAME,...", "which figures (default: all that can be drawn)");
    arguments.AddOption("format",
                        "FORMAT,...",
                        "of " + JoinNames(PICTURE_FORMATS) + " (default: png)");
    arguments.AddOption("width", "WIDTH", "page (17.4 cm, the default) or column (8.5 cm)");
    arguments.AddFlag("no-title", "no title above the figures, for papers that write a caption");
    arguments.AddOption("out", "DIR", "where they go (default: DIR; results/plot for several)");
    arguments.AddOptions("plugin", "FILE", "library with figures of your own");
    arguments.SetNotes("Figures:\n" + menu +
                       "Beside each picture NAME.png are NAME-data.csv and NAME.gp, from which\n"
                       "`gnuplot NAME.gp` draws it again.");
    return arguments;
}

int
Plot(const Arguments& arguments, std::ostream& out, std::ostream& err)
{
    const auto folders = arguments.GetAll("DIR");
    const bool isAsked = arguments.Has("figure");
    const auto names = isAsked ? arguments.GetList("figure") : ListPolicies(Figure::GetTypeId());
    PictureStyle style;
    style.formats = arguments.Has("format") ? arguments.GetList("format") : style.formats;
    style.width = arguments.Get("width", style.width);
    style.isTitled = !arguments.Has("no-title");
    CheckFigures(names, style);
    const auto sets = OpenResults(folders);
    const std::string folder =
        arguments.Get("out", folders.size() == 1 ? folders[0] : "results/plot");
    const DrawnFigures drawn = DrawFigures(names, sets, folder, style);
    for (const auto& picture : drawn.pictures)
    {
        out << picture.string() << '\n';
    }
    for (const auto& sentences : {drawn.warnings, drawn.empty})
    {
        for (const auto& sentence : sentences)
        {
            err << sentence << '\n';
        }
    }
    const bool isComplete = drawn.warnings.empty() && (!isAsked || drawn.empty.empty());
    return isComplete && !drawn.pictures.empty() ? 0 : 1;
}

} // namespace ns3::ddl
