// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plotting.h"

#include "app/results/ddl-result-set.h"
#include "ddl-figure.h"
#include "ddl-figures.h"
#include "ddl-gnuplot.h"

#include "ns3/ddl-error.h"

#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return the parts between commas of all given values */
std::vector<std::string>
SplitAll(const std::vector<std::string>& values)
{
    std::vector<std::string> parts;
    for (const auto& value : values)
    {
        std::istringstream stream(value);
        std::string part;
        while (std::getline(stream, part, ','))
        {
            parts.push_back(part);
        }
    }
    return parts;
}

} // namespace

Arguments
MakePlotArguments()
{
    std::string menu;
    for (const auto& name : ListPolicies(Figure::GetTypeId()))
    {
        menu += "  " + name + ": " + CreatePolicy<Figure>(name)->GetSummary() + "\n";
    }
    Arguments arguments("ddl-plot", "Draw figures from the results of runs and comparisons.");
    arguments.AddWord("DIR", "folder of results; several are compared", 1, Arguments::ANY_NUMBER);
    arguments.AddOptions("figure", "NAME,...", "which figures (default: all that can be drawn)");
    arguments.AddOption("format",
                        "FORMAT,...",
                        "of " + JoinNames(ListPictureFormats()) + " (default: png)");
    arguments.AddOption("width", "WIDTH", "page (17.4 cm, the default) or column (8.5 cm)");
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
    const auto names =
        isAsked ? SplitAll(arguments.GetAll("figure")) : ListPolicies(Figure::GetTypeId());
    const auto formats = SplitAll({arguments.Get("format", "png")});
    const std::string width = arguments.Get("width", "page");
    CheckFigures(names, formats, width);
    const auto sets = OpenResults(folders);
    const std::string folder =
        arguments.Get("out", folders.size() == 1 ? folders[0] : "results/plot");
    const DrawnFigures drawn = DrawFigures(names, sets, folder, formats, width);
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

} // namespace ddl
} // namespace ns3
