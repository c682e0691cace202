// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ARGUMENTS_H
#define DDL_ARGUMENTS_H

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * The command line of one of our programs: words (`SCENARIO`), options (`--out=DIR`), flags
 * (`--quiet`), `--help`, and `--` before words that begin with a dash. Everything is declared
 * first; whatever else is given is bad input, and all of it is reported at once. ns3::CommandLine
 * cannot do this: it takes an option once only and accepts stray words silently.
 * boost::program_options cannot either: it stops at the first mistake, suggests no name, and would
 * leave words, their other spelling as options, help and ns-3's own options to us.
 */
class Arguments
{
  public:
    static constexpr std::size_t ANY_NUMBER = std::numeric_limits<std::size_t>::max();

    /**
     * \param program name of the program for users ("ddl-run")
     * \param summary a line on what the program does
     */
    Arguments(std::string program, std::string summary);

    /**
     * Declare a word. Words fill up in the order of declaration, so only the last may take several.
     * A word can be given as an option of its name in lower case, too: `--scenario=FILE`.
     *
     * \param name name of the word in capitals: "SCENARIO"
     * \param help meaning of the word
     * \param least how many words of that name must be given
     * \param most how many words of that name can be given
     */
    void AddWord(const std::string& name,
                 const std::string& help,
                 std::size_t least = 1,
                 std::size_t most = 1);
    /** Declare `--name=VALUE`, for at most one use. */
    void AddOption(const std::string& name, const std::string& value, const std::string& help);
    /** Declare `--name=VALUE`, for any number of uses. */
    void AddOptions(const std::string& name, const std::string& value, const std::string& help);
    /** Declare `--name`. */
    void AddFlag(const std::string& name, const std::string& help);

    /**
     * Collect the options of ns3::CommandLine: `--ns3::...`, `--Print...`, global values. After a
     * `--Print...` ns-3 ends the program, so no word need be given with it.
     */
    void PassOnNs3()
    {
        m_passOnNs3 = true;
    }

    /** \param text text that `--help` prints below the options */
    void SetNotes(const std::string& text)
    {
        m_notes = text;
    }

    /**
     * Sort the command line into what was declared. With `--help` nothing is checked.
     *
     * \param given the arguments without the program's name
     * \throws InputError that lists everything unknown, missing, or given once too often
     */
    void Parse(const std::vector<std::string>& given);

    /** \return true if `--help` was given */
    bool WantsHelp() const
    {
        return m_wantsHelp;
    }

    /** \return the text that `--help` prints */
    std::string GetHelp() const;
    /** \return true if the word, option or flag was given */
    bool Has(const std::string& name) const;
    /** \return the value of a word or option, or \p fallback if it was not given */
    std::string Get(const std::string& name, const std::string& fallback = "") const;
    /** \return all values of a word or option, in the order given */
    const std::vector<std::string>& GetAll(const std::string& name) const;
    /** \return the parts between commas of all values of an option */
    std::vector<std::string> GetList(const std::string& name) const;
    /**
     * \return the value of an option as a whole number, or \p fallback if it was not given
     * \throws InputError unless the value is a whole number from \p least to \p most
     */
    uint64_t GetNumber(const std::string& name,
                       uint64_t fallback,
                       uint64_t least,
                       uint64_t most) const;

    /** \return the arguments for ns3::CommandLine, as given */
    const std::vector<std::string>& GetNs3() const
    {
        return m_ns3;
    }

  private:
    /** A word, option or flag that can be given. */
    struct Entry
    {
        std::string name;  //!< name: "SCENARIO", or "out" of `--out`
        std::string value; //!< name of the value in the help text, "" for a flag or word
        std::string help;
        bool isWord{false};
        std::size_t least{0};
        std::size_t most{1};
    };

    void Add(Entry entry);
    const Entry* Find(const std::string& name) const;
    /** \return why \p argument cannot be taken, or "" */
    std::string Take(const std::string& argument);
    std::string TakeOption(const std::string& option);
    std::string TakeWord(const std::string& word);
    std::string ExplainUnknown(const std::string& name) const;

    std::string m_program;
    std::string m_summary;
    std::string m_notes;
    std::vector<Entry> m_entries; //!< entries in the order of declaration
    std::map<std::string, std::vector<std::string>> m_given;
    std::vector<std::string> m_ns3;
    bool m_passOnNs3{false};
    bool m_asksNs3{false}; //!< a `--Print...` was given
    bool m_wantsHelp{false};
};

} // namespace ns3::ddl

#endif // DDL_ARGUMENTS_H
