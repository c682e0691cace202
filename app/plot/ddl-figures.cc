// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-figures.h"

#include "ddl-figure.h"
#include "ddl-gnuplot.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return a complaint about a name that is not on the menu, or nothing */
std::vector<Diagnostic>
CheckName(const std::string& option, const std::string& name, const std::vector<std::string>& menu)
{
    if (std::find(menu.begin(), menu.end(), name) != menu.end())
    {
        return {};
    }
    const std::string nearest = NearestName(name, menu);
    return {{option,
             "",
             "there is no \"" + name + "\" (one of " + JoinNames(menu) + ")" +
                 (nearest.empty() ? "" : "; did you mean " + nearest + "?")}};
}

/** Remove what an earlier drawing left: an old picture must not stand for new results. */
void
RemoveOld(const std::string& name, const std::filesystem::path& folder)
{
    std::error_code ignored;
    std::vector<std::string> files{name + "-data.csv", name + ".gp"};
    for (const auto& format : ListPictureFormats())
    {
        files.push_back(name + "." + format);
    }
    for (const auto& file : files)
    {
        std::filesystem::remove(folder / file, ignored);
    }
}

/** Write and draw; what goes wrong is thrown, or said in the warnings. */
DrawnFigures
TryToDraw(const Figure& figure,
          const std::vector<ResultSet>& sets,
          const std::filesystem::path& folder,
          const std::vector<std::string>& formats,
          const std::string& width)
{
    const std::string name = figure.GetName();
    RemoveOld(name, folder);
    const FigureFiles files = figure.Make(sets);
    if (!files.nothing.empty())
    {
        return {{}, {}, {"no figure " + name + ": " + files.nothing}};
    }
    PrepareFolder(folder);
    WriteFileSafely(folder / (name + "-data.csv"), files.data);
    WriteFileSafely(folder / (name + ".gp"), files.script);
    DrawnFigures drawn;
    for (const auto& format : formats)
    {
        const std::string warning = DrawWithGnuplot(folder, name, format, width);
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

} // namespace

void
RemoveFigures(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
    {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".gp" &&
            std::filesystem::exists(folder / (name + "-data.csv"), failure))
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
CheckFigures(const std::vector<std::string>& names,
             const std::vector<std::string>& formats,
             const std::string& width)
{
    std::vector<Diagnostic> complaints;
    for (const auto& name : names)
    {
        const auto more = CheckName("--figure", name, ListPolicies(Figure::GetTypeId()));
        complaints.insert(complaints.end(), more.begin(), more.end());
    }
    for (const auto& format : formats)
    {
        const auto more = CheckName("--format", format, ListPictureFormats());
        complaints.insert(complaints.end(), more.begin(), more.end());
    }
    const auto more = CheckName("--width", width, ListPictureWidths());
    complaints.insert(complaints.end(), more.begin(), more.end());
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
}

DrawnFigures
DrawFigure(const std::string& name,
           const std::vector<ResultSet>& sets,
           const std::filesystem::path& folder,
           const std::vector<std::string>& formats,
           const std::string& width)
{
    CheckFigures({name}, formats, width);
    try
    {
        return TryToDraw(*CreatePolicy<Figure>(name), sets, folder, formats, width);
    }
    catch (const std::exception& error)
    {
        return {{}, {"no figure " + name + ": " + error.what()}, {}};
    }
}

DrawnFigures
DrawFigures(const std::vector<std::string>& names,
            const std::vector<ResultSet>& sets,
            const std::filesystem::path& folder,
            const std::vector<std::string>& formats,
            const std::string& width)
{
    CheckFigures(names, formats, width);
    DrawnFigures all;
    for (const auto& name : names)
    {
        const DrawnFigures drawn = DrawFigure(name, sets, folder, formats, width);
        all.pictures.insert(all.pictures.end(), drawn.pictures.begin(), drawn.pictures.end());
        all.warnings.insert(all.warnings.end(), drawn.warnings.begin(), drawn.warnings.end());
        all.empty.insert(all.empty.end(), drawn.empty.begin(), drawn.empty.end());
    }
    return all;
}

} // namespace ddl
} // namespace ns3
