// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-plan.h"

#include "ddl-bench-work.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-transport.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t FULL_BYTES = 480000000;
constexpr uint64_t QUICK_BYTES = 240000000;
constexpr uint64_t STOCK_256_BYTES = 120000000; //!< it is several times as slow as at 16 hosts

/** \return the words between commas */
std::vector<std::string>
Split(const std::string& list)
{
    std::vector<std::string> words;
    std::istringstream stream(list);
    std::string word;
    while (std::getline(stream, word, ','))
    {
        words.push_back(word);
    }
    return words;
}

/** A list of names that an option restricts. */
class Choice
{
  public:
    Choice(const Arguments& arguments,
           const std::string& option,
           const std::vector<std::string>& menu,
           std::vector<Diagnostic>& complaints)
        : m_words(arguments.Has(option) ? Split(arguments.Get(option)) : menu)
    {
        for (const auto& word : m_words)
        {
            if (std::find(menu.begin(), menu.end(), word) == menu.end())
            {
                const std::string nearest = NearestName(word, menu);
                complaints.push_back(
                    {"--" + option,
                     "",
                     "\"" + word + "\" is none of " + JoinNames(menu) +
                         (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?")});
            }
        }
    }

    bool Has(const std::string& word) const
    {
        return std::find(m_words.begin(), m_words.end(), word) != m_words.end();
    }

  private:
    std::vector<std::string> m_words;
};

uint64_t
ReadBytes(const Arguments& arguments, std::vector<Diagnostic>& complaints)
{
    if (!arguments.Has("bytes"))
    {
        return 0;
    }
    std::string problem;
    const auto bytes = ParseBytes(arguments.Get("bytes"), problem);
    if (!bytes || *bytes < 256)
    {
        complaints.push_back({"--bytes", "", bytes ? "at least 256B" : problem});
    }
    return bytes.value_or(0);
}

/** \return all that the full benchmark runs, in the order of the table */
std::vector<BenchCase>
ListCases()
{
    std::vector<BenchCase> cases;
    for (const uint32_t hosts : {16, 256})
    {
        for (const uint32_t mtu : {1500, 9000})
        {
            for (const auto& transport : ListBenchTransports())
            {
                const bool less = hosts == 256 && transport == STOCK;
                cases.push_back({"W", transport, hosts, mtu, less ? STOCK_256_BYTES : FULL_BYTES});
            }
        }
    }
    for (const std::string work : {"remark", "ring"})
    {
        for (const auto& transport : ListPolicies(Transport::GetTypeId()))
        {
            cases.push_back({work, transport, 16, 1500, FULL_BYTES});
        }
    }
    return cases;
}

bool
IsQuick(const BenchCase& one)
{
    return one.work == "W" && one.hosts == 16 && one.mtu == 1500;
}

} // namespace

std::string
BenchCase::GetName() const
{
    return work + "-" + std::to_string(hosts) + "-" + std::to_string(mtu) + "-" + transport;
}

std::vector<std::string>
ListBenchTransports()
{
    auto names = ListPolicies(Transport::GetTypeId());
    names.insert(names.begin(), STOCK);
    return names;
}

void
AddBenchOptions(Arguments& arguments)
{
    arguments.AddFlag("quick", "W at 16 hosts and MTU 1500 only, half the bytes, 3 repetitions");
    arguments.AddOption("work", "LIST", "only these of " + JoinNames(ListBenchWorks()));
    arguments.AddOption("transport", "LIST", "only these of " + JoinNames(ListBenchTransports()));
    arguments.AddOption("hosts", "LIST", "only these of 16, 256");
    arguments.AddOption("mtu", "LIST", "only these of 1500, 9000");
    arguments.AddOption("bytes", "SIZE", "what every case carries in all, instead of its default");
    arguments.AddOption("repeat", "N", "repetitions of each case; 5 by default");
}

BenchPlan
MakeBenchPlan(const Arguments& arguments)
{
    std::vector<Diagnostic> complaints;
    const Choice works(arguments, "work", ListBenchWorks(), complaints);
    const Choice transports(arguments, "transport", ListBenchTransports(), complaints);
    const Choice hosts(arguments, "hosts", {"16", "256"}, complaints);
    const Choice mtus(arguments, "mtu", {"1500", "9000"}, complaints);
    const uint64_t bytes = ReadBytes(arguments, complaints);
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    const bool quick = arguments.Has("quick");
    BenchPlan plan;
    plan.repetitions = static_cast<uint32_t>(arguments.GetNumber("repeat", quick ? 3 : 5, 1, 1000));
    for (auto& one : ListCases())
    {
        const bool wanted = works.Has(one.work) && transports.Has(one.transport) &&
                            hosts.Has(std::to_string(one.hosts)) &&
                            mtus.Has(std::to_string(one.mtu)) && (!quick || IsQuick(one));
        if (wanted)
        {
            one.bytes = bytes > 0 ? bytes : quick ? QUICK_BYTES : one.bytes;
            plan.cases.push_back(one);
        }
    }
    if (plan.cases.empty())
    {
        throw InputError("no case of the benchmark is all of that; ddl bench --help lists them");
    }
    return plan;
}

} // namespace ddl
} // namespace ns3
