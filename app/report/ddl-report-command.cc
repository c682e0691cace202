// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-report-command.h"

#include "app/page/ddl-page.h"
#include "app/reproduce/ddl-reproduce-report.h"
#include "app/text/ddl-complaints.h"
#include "ddl-run-report.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <filesystem>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

bool
HasFile(const std::string& folder, const std::string& name)
{
    std::error_code failure;
    return fs::is_regular_file(fs::path(folder) / name, failure);
}

/** \return true if a run is writing to a folder, or was killed while it did */
bool
IsHalfWritten(const std::string& folder)
{
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure))
    {
        if (entry.path().extension() == ".part")
        {
            return true;
        }
    }
    return false;
}

/** \return why a folder cannot be reported, "" if it has results */
std::string
ComplainAboutFolder(const std::string& folder, bool isOneOfSeveral)
{
    std::error_code failure;
    if (!fs::is_directory(folder, failure))
    {
        return fs::exists(folder, failure) ? "is not a folder" : "does not exist";
    }
    fs::directory_iterator(folder, failure);
    if (failure)
    {
        return "cannot be read: " + failure.message();
    }
    if (IsReproduction(folder))
    {
        return isOneOfSeveral ? "is a reproduction: it gets a page of its own" : "";
    }
    if (HasFile(folder, "summary.json") || HasFile(folder, "compare.csv"))
    {
        return "";
    }
    return IsHalfWritten(folder)
               ? "a run is still writing here, or was killed: summary.json comes last"
               : "has no results: neither summary.json of a run, nor compare.csv of a comparison, "
                 "nor reproduction.json of a reproduction";
}

} // namespace

Arguments
MakeReportArguments()
{
    Arguments arguments("ddl report",
                        "One HTML page of a run, a comparison or a reproduction, to look at and to "
                        "send.");
    arguments.AddWord("DIR", "folder of results; several are compared", 1, Arguments::ANY_NUMBER);
    arguments.AddOption("out", "FILE", "the page (default: report.html in the first DIR)");
    arguments.AddFlag("text", "plain text, for terminals and mail; printed if there is no --out");
    arguments.AddOptions("plugin", "FILE", "library with figures of your own");
    arguments.SetNotes(
        "The page has tables, figures with their values, timelines that zoom, warnings, cost, and\n"
        "what identifies the runs. It needs no network, and is 5 MB at most: long series are\n"
        "thinned, and the page says so.\n"
        "Exit status: 0 done, 1 the page cannot be written, 2 a folder has no results.");
    return arguments;
}

int
WriteReport(const Arguments& arguments, std::ostream& out)
{
    const auto folders = arguments.GetAll("DIR");
    Complaints complaints;
    for (const auto& folder : folders)
    {
        const std::string complaint = ComplainAboutFolder(folder, folders.size() > 1);
        if (!complaint.empty())
        {
            complaints.Add({{folder, "", complaint}});
        }
    }
    complaints.Throw();
    const fs::path file = arguments.Get("out", (fs::path(folders[0]) / "report.html").string());
    std::error_code failure;
    if (fs::exists(file, failure) && !fs::is_regular_file(file, failure))
    {
        throw InputError({{"--out", "", file.string() + " is not a file"}});
    }
    const bool isOneRun = folders.size() == 1 && !HasFile(folders[0], "compare.csv");
    const Report report = folders.size() == 1 && IsReproduction(folders[0])
                              ? ReadReproductionReport(folders[0])
                          : isOneRun ? MakeRunReport(folders[0])
                                     : MakeComparisonReport(folders);
    const bool isText = arguments.Has("text");
    if (isText && !arguments.Has("out"))
    {
        out << FormatText(report);
        return 0;
    }
    if (file.has_parent_path())
    {
        PrepareFolder(file.parent_path());
    }
    WriteFileSafely(file, isText ? FormatText(report) : FormatPage(report));
    out << file.string() << '\n';
    return 0;
}

} // namespace ns3::ddl
