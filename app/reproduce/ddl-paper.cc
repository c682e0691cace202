// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-paper.h"

#include "app/json/ddl-json-document.h"
#include "app/scenario/ddl-home.h"
#include "ddl-paper-figure-check.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <tuple>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

/** A folder with a `figure.json`. */
struct FigureFolder
{
    std::string path;
    std::string paper; //!< "" if the file does not say
};

/** \return the paper that a figure names; "" when it names none, which its reader complains about
 */
std::string
PeekPaper(const std::string& file)
{
    try
    {
        const Json root = JsonDocument::ParseFile(file).GetRoot();
        return root.is_object() && root.contains("paper") && root["paper"].is_string()
                   ? root["paper"].get<std::string>()
                   : "";
    }
    catch (const InputError&)
    {
        return "";
    }
}

std::vector<FigureFolder>
FindFigureFolders()
{
    std::vector<FigureFolder> folders;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(fs::path(GetHome()) / "scenarios", failure))
    {
        const fs::path file = entry.path() / "figure.json";
        if (fs::is_regular_file(file, failure))
        {
            folders.push_back({entry.path().string(), PeekPaper(file.string())});
        }
    }
    std::sort(folders.begin(), folders.end(), [](const auto& a, const auto& b) {
        return a.path < b.path;
    });
    return folders;
}

/** \return true if a figure comes before another: by the first number in their names, then by name
 */
bool
IsBefore(const PaperFigure& a, const PaperFigure& b)
{
    const auto number = [](const std::string& text) {
        const auto digit = text.find_first_of("0123456789");
        unsigned long value = 0;
        for (auto i = digit; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
             ++i)
        {
            value = std::min(value * 10 + static_cast<unsigned long>(text[i] - '0'), 1000000UL);
        }
        return value;
    };
    return std::make_tuple(number(a.number), a.number, a.folder) <
           std::make_tuple(number(b.number), b.number, b.folder);
}

/** \return the comparison that \p wanted stands for, or nothing */
const FigureComparison*
FindOriginal(const std::vector<PaperFigure>& figures, const FigureComparison& wanted)
{
    for (const auto& figure : figures)
    {
        for (const auto& comparison : figure.comparisons)
        {
            if (figure.folder == wanted.from && comparison.name == wanted.name &&
                comparison.from.empty())
            {
                return &comparison;
            }
        }
    }
    return nullptr;
}

/** Complete what is taken from other figures. */
void
Complete(std::vector<PaperFigure>& figures, std::vector<Diagnostic>& complaints)
{
    for (auto& figure : figures)
    {
        for (std::size_t i = 0; i < figure.comparisons.size(); ++i)
        {
            FigureComparison& comparison = figure.comparisons[i];
            if (comparison.from.empty())
            {
                continue;
            }
            const auto* original = FindOriginal(figures, comparison);
            if (!original)
            {
                complaints.push_back({figure.path + "/figure.json",
                                      "/comparisons/" + std::to_string(i) + "/from",
                                      "the figure \"" + comparison.from +
                                          "\" of this paper has no comparison \"" +
                                          comparison.name + "\" of its own"});
                continue;
            }
            const std::string from = comparison.from;
            comparison = *original;
            comparison.from = from;
        }
    }
}

void
CheckAllSelections(const std::vector<PaperFigure>& figures,
                   FigureVariant variant,
                   std::vector<Diagnostic>& complaints)
{
    for (const auto& figure : figures)
    {
        const auto more = CheckSelections(figure, variant);
        complaints.insert(complaints.end(), more.begin(), more.end());
    }
}

/** \throws InputError with the nearest name, if there is no such paper */
void
CheckPaper(const std::string& name)
{
    const auto names = ListPapers();
    if (std::find(names.begin(), names.end(), name) != names.end())
    {
        return;
    }
    const std::string nearest = NearestName(name, names);
    throw InputError("there is no paper \"" + name + "\" (" +
                     (names.empty() ? "no folder below scenarios/ has a figure.json"
                                    : "one of " + JoinNames(names)) +
                     ")" + (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

} // namespace

std::vector<std::string>
ListPapers()
{
    std::set<std::string> names;
    for (const auto& folder : FindFigureFolders())
    {
        if (!folder.paper.empty())
        {
            names.insert(folder.paper);
        }
    }
    return {names.begin(), names.end()};
}

std::vector<PaperFigure>
OpenPaper(const std::string& name, FigureVariant variant)
{
    CheckPaper(name);
    std::vector<PaperFigure> figures;
    std::vector<Diagnostic> complaints;
    for (const auto& folder : FindFigureFolders())
    {
        // A file that names no paper may be meant for this one: its complaints are shown too.
        if (!folder.paper.empty() && folder.paper != name)
        {
            continue;
        }
        try
        {
            figures.push_back(ReadPaperFigure(folder.path, variant));
        }
        catch (const InputError& error)
        {
            const auto& more = error.GetDiagnostics();
            complaints.insert(complaints.end(), more.begin(), more.end());
        }
    }
    std::sort(figures.begin(), figures.end(), IsBefore);
    if (complaints.empty())
    {
        Complete(figures, complaints);
    }
    if (complaints.empty())
    {
        CheckAllSelections(figures, variant, complaints);
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    return figures;
}

} // namespace ddl
} // namespace ns3
