// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-study-plan.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace ns3::ddl
{

namespace fs = std::filesystem;

std::string
QuoteForShell(const std::string& text)
{
    const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+./:,@%=";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos)
    {
        return text;
    }
    std::string quoted = "'";
    for (const char letter : text)
    {
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return quoted + "'";
}

std::vector<std::string>
ListSharedEnvironment()
{
    std::vector<std::string> assignments{"DDL_PROCESSES=1"};
    for (const char* name : {"DDL_HOME",
                             "LD_LIBRARY_PATH",
                             "PATH",
                             "NS_LOG",
                             "NS_GLOBAL_VALUE",
                             "NS_ATTRIBUTE_DEFAULT"})
    {
        const char* const value = std::getenv(name);
        if (value)
        {
            assignments.push_back(std::string(name) + "=" + value);
        }
    }
    return assignments;
}

std::vector<std::string>
MakeOnceCommand(const StudyRun& run)
{
    std::vector<std::string> command = run.command;
    command[0] = fs::absolute(command[0]).lexically_normal().string();
    command.push_back("--out=" + fs::absolute(run.folder).lexically_normal().string());
    command.emplace_back("--quiet");
    command.emplace_back("--once");
    return command;
}

std::string
FormatRunLine(const StudyRun& run)
{
    // Relative paths in a scenario's keys start from the folder where the study was asked for.
    std::string line = "cd " + QuoteForShell(fs::current_path().string()) + " && env";
    for (const auto& assignment : ListSharedEnvironment())
    {
        line += " " + QuoteForShell(assignment);
    }
    for (const auto& word : MakeOnceCommand(run))
    {
        line += " " + QuoteForShell(word);
    }
    return line;
}

std::string
FormatPlan(const std::vector<StudyRun>& runs)
{
    using Json = nlohmann::ordered_json;
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    Json all = Json::array();
    for (const auto& run : runs)
    {
        all.push_back({{"name", run.name},
                       {"folder", fs::absolute(run.folder).lexically_normal().string()},
                       {"command", MakeOnceCommand(run)},
                       {"line", FormatRunLine(run)},
                       {"cpu_s", number(run.price.cpuSeconds)},
                       {"memory_mb", number(run.price.memoryMb)}});
    }
    return Json{{"cwd", fs::current_path().string()},
                {"environment", ListSharedEnvironment()},
                {"runs", all}}
               .dump(2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

std::string
FormatPlanLines(const std::vector<StudyRun>& runs)
{
    std::string lines;
    for (const auto& run : runs)
    {
        lines += FormatRunLine(run) + "\n";
    }
    return lines;
}

} // namespace ns3::ddl
