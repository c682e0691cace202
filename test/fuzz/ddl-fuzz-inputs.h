// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FUZZ_INPUTS_H
#define DDL_FUZZ_INPUTS_H

#include "app/json/ddl-json-text.h"

#include "ns3/ddl-scenario.h"

#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The kinds of input that a user gives to the programs. */
enum class InputKind
{
    SCENARIO, //!< text of a scenario
    TRACE,    //!< text of a trace, in a scenario that names it
    FIGURE,   //!< text of a figure.json
    SETTING   //!< PATH=VALUE
};

constexpr int INPUT_KINDS = 4;

/** Wrong inputs by random change of right ones, the same in every run with equal seed. */
class Mutator
{
  public:
    explicit Mutator(uint32_t seed);

    /** \return a number from 0 to \p end - 1 */
    std::size_t Below(std::size_t end);
    /** \return a changed copy of one of the tree's own inputs of that kind */
    std::string Make(InputKind kind);
    /** \return a scenario, changed but for being JSON, on few machines and with little work */
    Json MakeSmallScenario();

  private:
    const std::string& Pick(const std::vector<std::string>& from);
    void ChangeBytes(std::string& text);
    void ChangeValue(Json& root);
    /** Another member of a family, perhaps with another value of an attribute. */
    void ChangePolicy(Json& root);

    std::mt19937 m_engine; // whose numbers are standard; distributions' are not
};

/** \throws std::logic_error if a scenario whose text ends too early is accepted as JSON */
void CheckTruncations();

/**
 * Try random texts as rates, times, sizes and attributes of ns-3. What we accept must be read by
 * ns-3, too, which would end the program otherwise, and a rate must be the same.
 *
 * \throws std::logic_error if it is another, or if nearly all or nearly none are accepted
 */
void CheckQuantities(Mutator& mutator, int count);

/** Reads inputs as the programs do, and checks how they are refused. */
class InputReader
{
  public:
    /** \param folder for files that hold the inputs */
    explicit InputReader(std::filesystem::path folder);

    /**
     * Read an input.
     *
     * \return true if it is accepted; false if it is bad input, and says so as it should
     * \throws std::exception of any other kind: a finding
     */
    bool Read(InputKind kind, const std::string& text);

    /** \return the scenario of a text, or none if it is bad input */
    std::optional<Scenario> ReadScenarioText(const std::string& text);

    /** \return where the latest input is */
    const std::filesystem::path& GetFile() const
    {
        return m_file;
    }

  private:
    void Write(const std::filesystem::path& file, const std::string& text);

    std::filesystem::path m_folder;
    std::filesystem::path m_file;
};

} // namespace ns3::ddl

#endif // DDL_FUZZ_INPUTS_H
