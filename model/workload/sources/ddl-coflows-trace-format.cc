// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-format.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MOST_PORTS = 65536;
constexpr uint64_t MOST_COFLOWS = 999999999;
constexpr double MOST_MILLISECONDS = 3.2e12;    //!< latest arrival: a century
constexpr double MOST_MEGABYTES = 1e9;          //!< most megabytes of a reducer
constexpr double BYTES_OF_A_MEGABYTE = 1000000; //!< 10^6, as in the tables of models

/** The words of one line, from left to right. */
class Words
{
  public:
    explicit Words(const std::string& line)
    {
        boost::split(m_words, line, boost::is_any_of(" \t"), boost::token_compress_on);
    }

    /** \return the next word; "" after the last */
    std::string Take()
    {
        return m_next < m_words.size() ? m_words[m_next++] : "";
    }

    std::size_t CountLeft() const
    {
        return m_words.size() - m_next;
    }

  private:
    std::vector<std::string> m_words;
    std::size_t m_next{0};
};

/** An error in a line, thrown by the readers of its parts. */
struct Refusal
{
    std::string what;
};

uint64_t
TakeWhole(Words& words, const std::string& what, uint64_t least, uint64_t most)
{
    const std::string text = words.Take();
    const auto number = ParseWhole(text, least, most);
    if (!number)
    {
        throw Refusal{what + " must be a whole number from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", is \"" + text + "\""};
    }
    return *number;
}

TraceCoflow::Reducer
TakeReducer(Words& words, uint32_t ports)
{
    const std::string text = words.Take();
    const auto colon = text.find(':');
    const auto port = ParseWhole(text.substr(0, colon), 0, ports - 1);
    const auto megabytes =
        colon == std::string::npos ? std::nullopt : ParseReal(text.substr(colon + 1));
    if (!port || !megabytes || !(*megabytes > 0) || *megabytes > MOST_MEGABYTES)
    {
        throw Refusal{"a reducer must be port:MB, with a port from 0 to " +
                      std::to_string(ports - 1) + " and more than 0 MB, is \"" + text + "\""};
    }
    const double bytes = std::max(1.0, std::round(*megabytes * BYTES_OF_A_MEGABYTE));
    return {static_cast<uint32_t>(*port), static_cast<uint64_t>(bytes)};
}

TraceCoflow
ReadCoflow(const std::string& line, uint32_t ports)
{
    Words words(line);
    TraceCoflow coflow;
    coflow.id = static_cast<uint32_t>(TakeWhole(words, "the coflow's id", 0, MOST_COFLOWS));
    const std::string arrival = words.Take();
    const auto milliseconds = ParseReal(arrival);
    if (!milliseconds || *milliseconds < 0 || *milliseconds > MOST_MILLISECONDS)
    {
        throw Refusal{"the arrival must be milliseconds, 0 or more, is \"" + arrival + "\""};
    }
    coflow.submit = Seconds(*milliseconds / 1000);
    const uint64_t mappers = TakeWhole(words,
                                       "the number of mappers",
                                       1,
                                       std::max<std::size_t>(2, words.CountLeft()) - 1);
    for (uint64_t i = 0; i < mappers; ++i)
    {
        coflow.mappers.push_back(
            static_cast<uint32_t>(TakeWhole(words, "the port of a mapper", 0, ports - 1)));
    }
    const uint64_t reducers = TakeWhole(words,
                                        "the number of reducers",
                                        1,
                                        std::max<std::size_t>(2, words.CountLeft()) - 1);
    for (uint64_t i = 0; i < reducers; ++i)
    {
        coflow.reducers.push_back(TakeReducer(words, ports));
    }
    if (words.CountLeft() > 0)
    {
        throw Refusal{"has " + std::to_string(words.CountLeft()) +
                      " words behind the last reducer"};
    }
    return coflow;
}

} // namespace

/**
 * `coflows`: the format of FB2010-1Hr-150-0.txt of the Coflow-Benchmark (Chowdhury et al., SIGCOMM
 * 2014 and 2015). First line: number of ports, number of coflows; then one coflow per line,
 *
 *     id arrival_ms mappers port ... reducers port:MB ...
 *
 * with ports numbered from 0 and MB of 10^6 bytes. Each reducer gets its megabytes from all
 * mappers, equally many from each.
 */
class CoflowsTraceFormat : public TraceFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::CoflowsTraceFormat")
                                .SetParent<TraceFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<CoflowsTraceFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "coflows as in FB2010-1Hr-150-0.txt: id arrival_ms mappers port.. reducers "
               "port:MB..";
    }

    bool Recognises(const std::string& header) const override
    {
        Words words(header);
        const bool isPair = words.CountLeft() == 2;
        return isPair && ParseWhole(words.Take(), 1, MOST_PORTS) &&
               ParseWhole(words.Take(), 0, MOST_COFLOWS);
    }

  private:
    void DoRead(TraceLines& lines, Trace& trace) const override
    {
        const std::string header = lines.Next().value_or("");
        if (!Recognises(header))
        {
            lines.Refuse("must be the number of ports (1 to " + std::to_string(MOST_PORTS) +
                         ") and the number of coflows");
            return;
        }
        Words words(header);
        trace.ports = static_cast<uint32_t>(TakeWhole(words, "", 1, MOST_PORTS));
        const uint64_t promised = TakeWhole(words, "", 0, MOST_COFLOWS);
        uint64_t found = 0;
        while (const auto line = lines.Next())
        {
            ++found;
            try
            {
                trace.coflows.push_back(ReadCoflow(*line, trace.ports));
                trace.coflows.back().line = lines.GetNumber();
            }
            catch (const Refusal& refusal)
            {
                lines.Refuse(refusal.what);
            }
        }
        if (found != promised)
        {
            lines.Refuse("the first line promises " + std::to_string(promised) +
                         " coflows; there are " + std::to_string(found));
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(CoflowsTraceFormat);

} // namespace ns3::ddl
