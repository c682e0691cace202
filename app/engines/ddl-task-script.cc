// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-script.h"

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** Shell function that carries out one run: name, then the words of its command. */
constexpr const char* RUN_FUNCTION = R"(run() {
    name=$1
    shift
    [ ! -e "$tasks/ended/$name" ] || return 0
    began=$(date +%s.%N)
    "$@" >"$tasks/logs/$name.txt" 2>&1 </dev/null
    status=$?
    case $status in 129 | 130 | 143) exit "$status" ;; esac
    took=$(date +%s.%N | awk -v began="$began" '{ print $1 - began }')
    part=$tasks/ended/.$name.$(uname -n).$$
    echo "$status $took" >"$part" || exit 1
    mv "$part" "$tasks/ended/$name" || [ -e "$tasks/ended/$name" ] || exit 1 # NFS may fail what it did
}
)";

} // namespace

std::string
FormatTaskScript(const fs::path& folder, const BatchTask& task, const std::vector<StudyRun>& runs)
{
    std::string script = "#!/bin/sh\ntasks=" + QuoteForShell(folder.string()) + "\n";
    for (const auto& assignment : ListSharedEnvironment())
    {
        const auto equals = assignment.find('=');
        script += "export " + assignment.substr(0, equals + 1) +
                  QuoteForShell(assignment.substr(equals + 1)) + "\n";
    }
    script += "cd " + QuoteForShell(fs::current_path().string()) + " || exit 1\n" + RUN_FUNCTION;
    for (const std::size_t run : task.runs)
    {
        script += "run " + QuoteForShell(runs[run].name);
        for (const auto& word : MakeOnceCommand(runs[run]))
        {
            script += " " + QuoteForShell(word);
        }
        script += "\n";
    }
    return script + "exit 0\n";
}

} // namespace ns3::ddl
