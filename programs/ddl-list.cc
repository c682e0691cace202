// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "app/reproduce/ddl-menus.h"
#include "app/reproduce/ddl-outcome-text.h"
#include "app/reproduce/ddl-paper.h"
#include "app/results/ddl-table-documents.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "app/text/ddl-text-file.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-plugin.h"

#include <algorithm>
#include <iostream>

using namespace ns3::ddl;

namespace
{

void
PrintMenu(const Menu& menu)
{
    std::cout << menu.title << "\n";
    std::size_t width = 0;
    for (const auto& item : menu.items)
    {
        width = std::max(width, item.name.size());
    }
    for (const auto& item : menu.items)
    {
        std::cout << "  " << item.name << std::string(width - item.name.size() + 2, ' ')
                  << item.summary << "\n";
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Arguments arguments("ddl list", "What can be named in a scenario, one line each.");
    arguments.AddWord("KIND", "one of " + JoinNames(ListMenuKinds()) + "; all without it", 0, 1);
    arguments.AddOptions("plugin", "FILE", "shared library with more policies");
    arguments.AddFlag("schema", "print scenarios/scenario.schema.json instead");
    arguments.AddFlag("figure-schema", "print scenarios/figure.schema.json instead");
    arguments.AddFlag("results", "print scenarios/results.schema.json instead");
    arguments.AddOption(
        "tables",
        "FILE",
        "print that page with its tables of keys, columns and values renewed instead");
    return RunProgram(arguments, argc, argv, [&]() {
        LoadPlugins(arguments.GetAll("plugin"));
        if (arguments.Has("schema"))
        {
            std::cout << FormatScenarioSchema();
            return 0;
        }
        if (arguments.Has("figure-schema"))
        {
            std::cout << FormatFigureSchema();
            return 0;
        }
        if (arguments.Has("results"))
        {
            std::cout << FormatResultSchema();
            return 0;
        }
        if (arguments.Has("tables"))
        {
            KeyTables tables = ListScenarioKeys();
            tables.merge(ListFigureKeys());
            const std::string file = arguments.Get("tables");
            const std::string page = ReadTextFile(file);
            try
            {
                std::cout << RenewPolicyTables(
                    RenewValueTables(RenewResultTables(RenewKeyTables(page, tables))));
            }
            catch (const InputError& error)
            {
                throw InputError(file + ": " + error.what());
            }
            return 0;
        }
        bool first = true;
        for (const auto& menu : MakeMenus(arguments.Get("KIND")))
        {
            std::cout << (first ? "" : "\n");
            PrintMenu(menu);
            first = false;
        }
        return 0;
    });
}
