// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event lists side by side, in the hold model (D. W. Jones, "An empirical comparison of
 * priority-queue and event-set implementations", CACM 1986): the number of pending events stays
 * the same, because each event that is due is scheduled again.
 */
#include "app/process/ddl-program.h"

#include "ns3/ddl-wheel-scheduler.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using Random = std::mt19937_64;

/** Distribution of the delays of events. */
struct Model
{
    std::string name;
    std::function<int64_t(Random&)> draw; //!< draws a delay, in time steps
};

const std::vector<Model>&
GetModels()
{
    static const auto packets = [](Random& random) -> int64_t { return 100 + random() % 1900; };
    static const std::vector<Model> models{
        {"0.1 to 2 us", packets},
        {"8 packet times",
         [](Random& random) -> int64_t {
             static const std::array<int64_t, 8> times{62, 84, 123, 1000, 1084, 1123, 1230, 1230};
             return times[random() % times.size()];
         }},
        {"0.1 to 2 us, 1 % timers",
         [](Random& random) -> int64_t {
             return random() % 100 ? packets(random) : 1000000 + random() % 4000000;
         }},
        {"1 to 10 ms", [](Random& random) -> int64_t { return 1000000 + random() % 9000000; }},
        {"1, 2, 3 or 4 us", [](Random& random) -> int64_t { return 1000 * (1 + random() % 4); }},
        {"0.1 to 2 us, in ps", [](Random& random) -> int64_t { return packets(random) * 1000; }},
    };
    return models;
}

/** Delays that are drawn before time is measured. */
class Delays
{
  public:
    explicit Delays(const Model& model)
    {
        Random random(7);
        std::generate(m_delays.begin(), m_delays.end(), [&] { return model.draw(random); });
    }

    int64_t Next()
    {
        return m_delays[m_next++ % m_delays.size()];
    }

  private:
    std::array<int64_t, 1 << 14> m_delays;
    std::size_t m_next{0};
};

double
CpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/** \return CPU time of a RemoveNext and an Insert, ns */
double
MeasureList(TypeId type, const Model& model, uint64_t pending, uint64_t events)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    const Ptr<Scheduler> owner = factory.Create<Scheduler>();
    Scheduler* const list = PeekPointer(owner);
    Delays delays(model);
    uint32_t uid = 1;
    const auto insert = [&](uint64_t now) {
        Scheduler::Event event;
        event.impl = nullptr;
        event.key = {now + static_cast<uint64_t>(delays.Next()), uid++, 0};
        list->Insert(event);
    };
    for (uint64_t i = 0; i < pending; ++i)
    {
        insert(0);
    }
    const auto hold = [&](uint64_t times) {
        for (uint64_t i = 0; i < times && !list->IsEmpty(); ++i)
        {
            insert(list->RemoveNext().key.m_ts);
        }
    };
    hold(4 * pending + events / 10); // warm-up: until the list is in its steady state
    const double start = CpuSeconds();
    hold(events);
    return (CpuSeconds() - start) / static_cast<double>(events) * 1e9;
}

/** Schedules itself again until all events together have run often enough. */
class HoldEvent : public EventImpl
{
  public:
    HoldEvent(Delays& delays, uint64_t& left)
        : m_delays(delays),
          m_left(left)
    {
    }

    void Schedule()
    {
        Ref(); // the simulator gives up one reference when the event has run
        Simulator::ScheduleWithContext(0, TimeStep(m_delays.Next()), this);
    }

  private:
    void Notify() override
    {
        if (m_left == 0)
        {
            Simulator::Stop();
            return;
        }
        --m_left;
        Schedule();
    }

    Delays& m_delays;
    uint64_t& m_left;
};

/** \return CPU time per event of a simulation, ns */
double
MeasureSimulation(TypeId type, const Model& model, uint64_t pending, uint64_t events)
{
    GlobalValue::Bind("SchedulerType", TypeIdValue(type));
    Delays delays(model);
    uint64_t left = 4 * pending + events / 10;
    std::vector<Ptr<HoldEvent>> holders;
    for (uint64_t i = 0; i < pending; ++i)
    {
        holders.push_back(Create<HoldEvent>(delays, left));
        holders.back()->Schedule();
    }
    Simulator::Run();
    left = events;
    holders.front()->Schedule(); // replaces the event that stopped the run
    const double start = CpuSeconds();
    Simulator::Run();
    const double seconds = CpuSeconds() - start;
    Simulator::Destroy();
    return seconds / static_cast<double>(events) * 1e9;
}

const std::array<const char*, 5> SCHEDULERS{"ns3::MapScheduler",
                                            "ns3::HeapScheduler",
                                            "ns3::CalendarScheduler",
                                            "ns3::PriorityQueueScheduler",
                                            "ns3::ddl::WheelScheduler"};

/** \return true if a case takes minutes: ns-3's calendar searches all events of a day */
bool
IsHopeless(const std::string& scheduler, const Model& model, uint64_t pending)
{
    return scheduler == "ns3::CalendarScheduler" &&
           (pending > 4096 || model.name == "1, 2, 3 or 4 us");
}

/** \return a row of the table: the least of all repetitions, which run the schedulers in turn */
std::vector<std::string>
MeasureRow(const Model& model, uint64_t pending, uint64_t events, uint64_t repetitions)
{
    struct Lowest
    {
        double list{std::numeric_limits<double>::infinity()};
        double simulation{std::numeric_limits<double>::infinity()};
    };

    std::array<Lowest, SCHEDULERS.size()> lowest;
    for (uint64_t repetition = 0; repetition < repetitions; ++repetition)
    {
        for (std::size_t i = 0; i < SCHEDULERS.size(); ++i)
        {
            if (!IsHopeless(SCHEDULERS[i], model, pending))
            {
                const TypeId type = TypeId::LookupByName(SCHEDULERS[i]);
                lowest[i].list =
                    std::min(lowest[i].list, MeasureList(type, model, pending, events));
                lowest[i].simulation =
                    std::min(lowest[i].simulation, MeasureSimulation(type, model, pending, events));
            }
        }
    }
    std::vector<std::string> row{model.name, std::to_string(pending)};
    for (std::size_t i = 0; i < SCHEDULERS.size(); ++i)
    {
        std::ostringstream cell;
        cell.precision(0);
        cell << std::fixed << lowest[i].list << " / " << lowest[i].simulation;
        row.push_back(IsHopeless(SCHEDULERS[i], model, pending) ? "" : cell.str());
    }
    return row;
}

} // namespace

/** The table of doc/performance.md, "The event scheduler". */
int
main(int argc, char* argv[])
{
    Arguments arguments("ddl-bench-events",
                        "CPU ns an event of ns-3's event lists and ours: the list by itself / all "
                        "of an event that only schedules itself again.");
    arguments.AddOption("events", "N", "in each measurement, 500000 by default");
    arguments.AddOption("repetitions", "N", "of which the lowest counts, 3 by default");
    return RunProgram(arguments, argc, argv, [&arguments] {
        const uint64_t events = arguments.GetNumber("events", 500000, 1, UINT32_MAX / 8);
        const uint64_t repetitions = arguments.GetNumber("repetitions", 3, 1, 1000);
        std::cout << "| due in | pending | map | heap | calendar | priority queue | wheel |\n"
                     "|---|---|---|---|---|---|---|\n";
        for (const Model& model : GetModels())
        {
            for (const uint64_t pending : {64, 256, 1024, 4096, 65536})
            {
                for (const auto& cell : MeasureRow(model, pending, events, repetitions))
                {
                    std::cout << "| " << cell << ' ';
                }
                std::cout << "|" << std::endl;
            }
        }
        return 0;
    });
}
