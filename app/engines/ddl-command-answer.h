// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMMAND_ANSWER_H
#define DDL_COMMAND_ANSWER_H

#include <string>
#include <vector>

namespace ns3::ddl
{

/** What a command of a batch system has answered. */
struct CommandAnswer
{
    int status{0};      //!< exit status; 128 + signal if it was killed, as after a minute
    std::string output; //!< all that it printed, errors included
};

/**
 * Run a command to its end, or for a minute, after which it is killed.
 *
 * \param command program, searched in PATH, and arguments
 * \throws RunError when the system cannot start another process
 */
CommandAnswer AskCommand(const std::vector<std::string>& command);

/** \return lines of a text, empty ones left out */
std::vector<std::string> SplitLines(const std::string& text);

/** \return parts of a text between separators, empty ones included */
std::vector<std::string> SplitFields(const std::string& text, char separator);

} // namespace ns3::ddl

#endif // DDL_COMMAND_ANSWER_H
