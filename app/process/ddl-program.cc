// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-program.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-wheel-scheduler.h"
#include "ns3/nstime.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace ns3::ddl
{

namespace
{

/** \return the exit status; 1 instead of 0 if standard output did not take all that was written */
int
CheckOutput(int status)
{
    errno = 0;
    std::cout.flush();
    if (std::cout && std::fflush(stdout) == 0 && !std::ferror(stdout))
    {
        return status;
    }
    std::cerr << "cannot write to standard output"
              << (errno ? std::string(": ") + std::strerror(errno) : "") << std::endl;
    return status == 0 ? 1 : status;
}

} // namespace

int
RunProgram(Arguments& arguments, int argc, char** argv, const std::function<int()>& body)
{
    WheelScheduler::MakeDefault();
    return RunGuarded([&] {
        arguments.Parse({argv + 1, argv + argc});
        if (arguments.WantsHelp())
        {
            std::cout << arguments.GetHelp();
            return CheckOutput(0);
        }
        return CheckOutput(body());
    });
}

void
SettleTimes()
{
    Time::SetResolution(Time::NS);
}

int
RunGuarded(const std::function<int()>& body)
{
    try
    {
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

} // namespace ns3::ddl
