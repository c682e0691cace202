// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-program.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-wheel-scheduler.h"

#include <iostream>

namespace ns3
{
namespace ddl
{

int
RunProgram(Arguments& arguments, int argc, char** argv, const std::function<int()>& body)
{
    WheelScheduler::MakeDefault();
    try
    {
        arguments.Parse({argv + 1, argv + argc});
        if (arguments.WantsHelp())
        {
            std::cout << arguments.GetHelp();
            return 0;
        }
        return body();
    }
    catch (const InputError& error)
    {
        std::cerr << error.what() << std::endl;
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
        return 1;
    }
}

} // namespace ddl
} // namespace ns3
