// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-schedule.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ns3::ddl
{

namespace
{

using Kind = GraphNode::Kind;

constexpr double MOST_SECONDS_EACH = GraphNode::MOST_NANOSECONDS * 1e-9; //!< longest transfer
constexpr int64_t LAST_TIME = INT64_MAX / 2; //!< where times end, rather than overflow
constexpr std::size_t MOST_WAITS = 12;       //!< nodes of a deadlock that a message names

/** \return time of some bytes at a rate; 0 at rate 0 */
double
GetSeconds(double bytes, DataRate rate)
{
    return rate.GetBitRate() == 0 ? 0 : bytes * 8 / static_cast<double>(rate.GetBitRate());
}

/** \return the time after a while, in ns */
int64_t
Later(int64_t time, int64_t duration)
{
    return std::min(time + duration, LAST_TIME); // both are at most half of what there is
}

Time
MakeTime(double seconds)
{
    return Seconds(std::min(seconds, MOST_SECONDS_EACH));
}

} // namespace

Time
IdealNetwork::GetMessageTime(uint64_t bytes) const
{
    return MakeTime(latency.GetSeconds() + GetSeconds(static_cast<double>(bytes), rate));
}

Time
IdealNetwork::GetCollectiveTime(Collective collective, uint64_t bytes, std::size_t ranks) const
{
    if (ranks < 2)
    {
        return Seconds(0);
    }
    const auto steps = static_cast<double>(ranks - 1);
    const double whole = GetSeconds(static_cast<double>(bytes), rate);
    const double share = whole / static_cast<double>(ranks);
    const double step = latency.GetSeconds();
    switch (collective)
    {
    case Collective::ALL_REDUCE:
        return MakeTime(2 * steps * (step + share));
    case Collective::ALL_GATHER:
    case Collective::REDUCE_SCATTER:
        return MakeTime(steps * (step + share));
    case Collective::ALL_TO_ALL:
        return MakeTime(step + steps * share);
    case Collective::BROADCAST:
        return MakeTime(steps * step + whole);
    case Collective::BARRIER:
        break;
    }
    return MakeTime(2 * steps * step);
}

/** Runs a graph, event by event. */
class GraphSchedule::Run
{
  public:
    Run(GraphSchedule& schedule,
        const TaskGraph& graph,
        const GraphMatches& matches,
        const IdealNetwork& network,
        Lanes lanes)
        : m_schedule(schedule),
          m_graph(graph),
          m_matches(matches),
          m_network(network),
          m_isOneByOne(lanes == Lanes::ONE_BY_ONE),
          m_waits(matches.GetSize()),
          m_hasStarted(matches.GetSize()),
          m_meetings(matches.GetInstances().size())
    {
        for (uint32_t rank = 0; rank < graph.ranks.size(); ++rank)
        {
            m_followers.try_emplace(graph.ranks[rank].program.get(), *graph.ranks[rank].program);
            const auto& lanes = graph.ranks[rank].program->lanes;
            const auto gpu = std::find(lanes.begin(), lanes.end(), LaneKind::GPU) - lanes.begin();
            m_firstLanes.push_back(m_lanes.size());
            m_gpuLanes.push_back(m_lanes.size() + static_cast<std::size_t>(gpu));
            m_lanes.resize(m_lanes.size() + (m_isOneByOne ? lanes.size() : 0));
            Begin(rank);
        }
    }

    void Execute()
    {
        while (!m_events.empty())
        {
            const Event event = Take();
            switch (event.kind)
            {
            case Event::END:
                End(event.number, event.time);
                break;
            case Event::READY:
                MakeReady(event.number, event.time);
                break;
            }
        }
        for (uint64_t number = 0; number < m_waits.size(); ++number)
        {
            m_schedule.m_starts[number] =
                m_hasStarted[number] ? m_schedule.m_starts[number] : NEVER;
        }
    }

  private:
    /** At one instant ends come first, then nodes that are ready. */
    struct Event
    {
        enum Kind
        {
            END,
            READY
        };

        int64_t time;
        Kind kind;
        uint64_t number; //!< number of a node

        bool operator<(const Event& other) const // the earliest is the greatest, for a heap
        {
            return std::tie(time, kind, number) > std::tie(other.time, other.kind, other.number);
        }
    };

    /** One lane of a rank. */
    struct LaneState
    {
        bool isBusy{false};
        uint64_t last{GraphMatches::NONE};            //!< node that it served last
        std::set<std::pair<int64_t, uint64_t>> ready; //!< nodes that wait for it, by time
    };

    /** Members of a collective that have started. */
    struct Meeting
    {
        uint32_t count{0};
        int64_t time{0}; //!< the latest start
        uint64_t last{0};
    };

    void Begin(uint32_t rank)
    {
        const auto& needs = m_followers.at(m_graph.ranks[rank].program.get()).needs;
        for (uint32_t node = 0; node < needs.size(); ++node)
        {
            const uint64_t number = m_matches.GetNumber(rank, node);
            m_waits[number] = needs[node];
            if (m_waits[number] == 0)
            {
                Put({0, Event::READY, number});
            }
        }
    }

    /** Longest paths come out in any order, lanes need that of time. */
    void Put(const Event& event)
    {
        m_events.push_back(event);
        if (m_isOneByOne)
        {
            std::push_heap(m_events.begin(), m_events.end());
        }
    }

    Event Take()
    {
        if (m_isOneByOne)
        {
            std::pop_heap(m_events.begin(), m_events.end());
        }
        const Event event = m_events.back();
        m_events.pop_back();
        return event;
    }

    const GraphNode& Find(uint64_t number) const
    {
        const auto [rank, node] = m_matches.Locate(number);
        return m_graph.ranks[rank].program->nodes[node];
    }

    LaneState& LaneOf(uint64_t number)
    {
        const auto [rank, node] = m_matches.Locate(number);
        const GraphProgram& program = *m_graph.ranks[rank].program;
        const uint16_t lane = program.nodes[node].lane;
        return m_lanes[program.lanes[lane] == LaneKind::GPU ? m_gpuLanes[rank]
                                                            : m_firstLanes[rank] + lane];
    }

    void MakeReady(uint64_t number, int64_t time)
    {
        if (m_isOneByOne && Find(number).kind == Kind::COMPUTE)
        {
            LaneState& lane = LaneOf(number);
            lane.ready.emplace(time, number);
            Serve(lane, time);
        }
        else
        {
            Start(number, time);
        }
    }

    /** Start the next node of a lane, if the lane is free and there is one. */
    void Serve(LaneState& lane, int64_t time)
    {
        if (lane.isBusy || lane.ready.empty())
        {
            return;
        }
        const uint64_t next = lane.ready.begin()->second;
        lane.ready.erase(lane.ready.begin());
        lane.isBusy = true;
        if (m_schedule.m_starts[next] < time)
        {
            m_schedule.m_causes[next] = lane.last;
        }
        Start(next, time);
    }

    void Start(uint64_t number, int64_t time)
    {
        m_hasStarted[number] = true;
        m_schedule.m_starts[number] = time;
        Release(number, time, true);
        const GraphNode& node = Find(number);
        switch (node.kind)
        {
        case Kind::COMPUTE:
            Put({Later(time, static_cast<int64_t>(node.amount)), Event::END, number});
            break;
        case Kind::SEND:
            Send(number, Later(time, m_network.GetMessageTime(node.amount).GetNanoSeconds()));
            break;
        case Kind::RECEIVE:
            EndReceive(number);
            break;
        case Kind::COLLECTIVE:
            Meet(number, time);
            break;
        }
    }

    void Send(uint64_t number, int64_t end)
    {
        Put({end, Event::END, number});
        const uint64_t receive = m_matches.GetMate(number);
        if (receive != GraphMatches::NONE)
        {
            m_schedule.m_ends[receive] = end; // when the message ends, until the receive does
            EndReceive(receive);
        }
    }

    /** End a receive that has started and whose message is on its way. */
    void EndReceive(uint64_t number)
    {
        const int64_t arrival = m_schedule.m_ends[number];
        if (!m_hasStarted[number] || arrival == NEVER)
        {
            return;
        }
        if (arrival > m_schedule.m_starts[number])
        {
            m_schedule.m_causes[number] = m_matches.GetMate(number);
        }
        Put({std::max(arrival, m_schedule.m_starts[number]), Event::END, number});
    }

    void Meet(uint64_t number, int64_t time)
    {
        const uint64_t index = m_matches.GetMate(number);
        if (index == GraphMatches::NONE)
        {
            return;
        }
        Meeting& meeting = m_meetings[index];
        if (meeting.count++ == 0 || time > meeting.time)
        {
            meeting.time = time;
            meeting.last = number;
        }
        const auto& instance = m_matches.GetInstances()[index];
        const std::size_t size = m_graph.groups[instance.group].ranks.size();
        if (meeting.count < size)
        {
            return;
        }
        const int64_t end = Later(
            meeting.time,
            m_network.GetCollectiveTime(instance.type, instance.bytes, size).GetNanoSeconds());
        for (std::size_t member = 0; member < size; ++member)
        {
            const uint64_t other = m_matches.GetMember(instance, member);
            if (m_schedule.m_starts[other] < meeting.time)
            {
                m_schedule.m_causes[other] = meeting.last;
            }
            Put({end, Event::END, other});
        }
    }

    void End(uint64_t number, int64_t time)
    {
        m_schedule.m_ends[number] = time;
        Release(number, time, false);
        if (m_isOneByOne && Find(number).kind == Kind::COMPUTE)
        {
            LaneState& lane = LaneOf(number);
            lane.isBusy = false;
            lane.last = number;
            Serve(lane, time);
        }
    }

    /** Tell the nodes behind one that it has started, or has ended. */
    void Release(uint64_t number, int64_t time, bool isStart)
    {
        const auto [rank, node] = m_matches.Locate(number);
        const GraphFollowers& followers = m_followers.at(m_graph.ranks[rank].program.get());
        const uint32_t middle = followers.endedEnds[node];
        const uint32_t first = isStart ? middle : followers.GetFirst(node);
        const uint32_t last = isStart ? followers.startedEnds[node] : middle;
        for (uint32_t i = first; i < last; ++i)
        {
            const uint64_t follower = m_matches.GetNumber(rank, followers.after[i]);
            int64_t& start = m_schedule.m_starts[follower];
            if (time > start || m_schedule.m_causes[follower] == GraphMatches::NONE)
            {
                start = time;
                m_schedule.m_causes[follower] = number;
            }
            if (--m_waits[follower] == 0)
            {
                Put({start, Event::READY, follower});
            }
        }
    }

    GraphSchedule& m_schedule;
    const TaskGraph& m_graph;
    const GraphMatches& m_matches;
    const IdealNetwork m_network;
    const bool m_isOneByOne;
    std::map<const GraphProgram*, GraphFollowers> m_followers;
    std::vector<uint32_t> m_waits; //!< edges of each node that it waits for
    std::vector<bool> m_hasStarted;
    std::vector<Meeting> m_meetings;       //!< by index of the instance
    std::vector<std::size_t> m_firstLanes; //!< index in m_lanes of each rank's first
    std::vector<std::size_t> m_gpuLanes;   //!< index in m_lanes of the one for all its GPU lanes
    std::vector<LaneState> m_lanes;
    std::vector<Event> m_events; //!< a heap, or a stack
};

GraphSchedule::GraphSchedule(const TaskGraph& graph,
                             const GraphMatches& matches,
                             const IdealNetwork& network,
                             Lanes lanes)
    : m_starts(matches.GetSize(), 0),
      m_ends(matches.GetSize(), NEVER),
      m_causes(matches.GetSize(), GraphMatches::NONE)
{
    Run(*this, graph, matches, network, lanes).Execute();
    for (std::size_t i = 0; i < m_ends.size(); ++i)
    {
        m_ends[i] = m_starts[i] == NEVER ? NEVER : m_ends[i];
    }
}

int64_t
GraphSchedule::GetLength() const
{
    const auto last = std::max_element(m_ends.begin(), m_ends.end());
    return last == m_ends.end() ? 0 : std::max<int64_t>(0, *last);
}

bool
GraphSchedule::IsComplete() const
{
    return std::find(m_ends.begin(), m_ends.end(), NEVER) == m_ends.end();
}

std::vector<uint64_t>
GraphSchedule::FindCriticalPath() const
{
    std::vector<uint64_t> path;
    const auto last = std::max_element(m_ends.begin(), m_ends.end());
    uint64_t number = last == m_ends.end() ? GraphMatches::NONE : last - m_ends.begin();
    while (number != GraphMatches::NONE)
    {
        path.push_back(number);
        number = m_causes[number];
    }
    std::reverse(path.begin(), path.end());
    return path;
}

namespace
{

/** Finds the loops of nodes that wait for each other across ranks. */
class DeadlockSearch
{
  public:
    DeadlockSearch(const TaskGraph& graph,
                   const GraphMatches& matches,
                   const GraphSchedule& schedule)
        : m_graph(graph),
          m_matches(matches),
          m_schedule(schedule),
          m_absent(matches.GetInstances().size(), UNKNOWN)
    {
    }

    /** Report each loop. */
    void Report(GraphComplaints& complaints)
    {
        std::vector<uint32_t> walks(m_matches.GetSize(), 0); // in which walk each node was seen
        uint32_t walk = 0;
        for (uint64_t begin = 0; begin < walks.size(); ++begin)
        {
            if (m_schedule.GetEnd(begin) != GraphSchedule::NEVER || walks[begin] != 0)
            {
                continue;
            }
            ++walk;
            std::vector<uint64_t> path;
            uint64_t number = begin;
            while (number != GraphMatches::NONE && walks[number] == 0)
            {
                walks[number] = walk;
                path.push_back(number);
                number = FindBlocker(number);
            }
            if (number != GraphMatches::NONE && walks[number] == walk)
            {
                ReportLoop(path, number, complaints);
            }
        }
    }

  private:
    static constexpr uint64_t UNKNOWN = GraphMatches::NONE - 1;

    /** \return a node for which one that never ends waits, or NONE if it waits for no node */
    uint64_t FindBlocker(uint64_t number)
    {
        const auto [rank, node] = m_matches.Locate(number);
        const GraphProgram& program = *m_graph.ranks[rank].program;
        if (m_schedule.GetStart(number) == GraphSchedule::NEVER)
        {
            for (uint32_t i = program.GetFirst(node); i < program.startedEnds[node]; ++i)
            {
                const uint64_t before = m_matches.GetNumber(rank, program.before[i]);
                const int64_t time = i < program.endedEnds[node] ? m_schedule.GetEnd(before)
                                                                 : m_schedule.GetStart(before);
                if (time == GraphSchedule::NEVER)
                {
                    return before;
                }
            }
        }
        const uint64_t mate = m_matches.GetMate(number);
        return mate == GraphMatches::NONE || program.nodes[node].kind != Kind::COLLECTIVE
                   ? mate
                   : FindAbsent(mate);
    }

    /** \return the first member of a collective that never starts; looked for once, since all other
     * members wait for it */
    uint64_t FindAbsent(uint64_t index)
    {
        uint64_t& absent = m_absent[index];
        if (absent == UNKNOWN)
        {
            const auto& instance = m_matches.GetInstances()[index];
            const std::size_t size = m_graph.groups[instance.group].ranks.size();
            absent = GraphMatches::NONE;
            for (std::size_t i = 0; i < size && absent == GraphMatches::NONE; ++i)
            {
                const uint64_t member = m_matches.GetMember(instance, i);
                absent = m_schedule.GetStart(member) == GraphSchedule::NEVER ? member : absent;
            }
        }
        return absent;
    }

    /** Report the loop that a path of nodes, each waiting for the next, ends in. */
    void ReportLoop(const std::vector<uint64_t>& path,
                    uint64_t again,
                    GraphComplaints& complaints) const
    {
        const auto loop = std::find(path.begin(), path.end(), again);
        std::string text = "never runs";
        std::size_t links = 0;
        for (auto i = loop + 1; i < path.end() && links < MOST_WAITS; ++i, ++links)
        {
            const auto [rank, node] = m_matches.Locate(*i);
            text += (links == 0 ? ": it waits for " : ", which waits for ") +
                    DescribeNode(m_graph, rank, node);
        }
        text += links == MOST_WAITS ? ", and so on, back to it" : ", which waits for it";
        const auto [rank, node] = m_matches.Locate(again);
        complaints.Add(GetSource(m_graph, rank), DescribeNode(m_graph, rank, node), text);
    }

    const TaskGraph& m_graph;
    const GraphMatches& m_matches;
    const GraphSchedule& m_schedule;
    std::vector<uint64_t> m_absent; //!< FindAbsent by instance; UNKNOWN: not looked for
};

} // namespace

std::vector<Diagnostic>
CheckGraph(const TaskGraph& graph)
{
    GraphComplaints complaints;
    CheckGraphShape(graph, complaints);
    if (complaints.IsEmpty())
    {
        const GraphMatches matches(graph, complaints);
        const GraphSchedule schedule(graph, matches);
        if (!schedule.IsComplete())
        {
            DeadlockSearch(graph, matches, schedule).Report(complaints);
        }
    }
    return complaints.GetAll();
}

} // namespace ns3::ddl
