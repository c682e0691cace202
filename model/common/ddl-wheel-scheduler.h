// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WHEEL_SCHEDULER_H
#define DDL_WHEEL_SCHEDULER_H

#include "ddl-event-pool.h"

#include "ns3/scheduler.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * A hierarchical timing wheel as ns-3's event list, for many events that are due soon. Any script
 * can have it: `--SchedulerType=ns3::ddl::WheelScheduler`.
 *
 * Events come out in exactly the order of ns3::MapScheduler: by timestamp, then by uid, whatever
 * the order of insertion and however far apart, from 0 to 2^64 - 1 time steps.
 *
 * A timestamp is read as a number of ten digits: the lowest has 12 bits, the other nine have 6 bits
 * each. There is one wheel per digit, with one slot per value of that digit. An event lies in the
 * wheel of the highest digit in which its timestamp differs from m_now, in the slot of that digit's
 * value. When the lowest wheel runs empty, the events of the first used slot of the next wheel move
 * to the wheels below. Bit masks of the used slots skip the empty ones.
 *
 * Invariants:
 * - no pending event is before m_now, so every slot in use is at or after m_now's;
 * - a slot of the lowest wheel holds one timestamp, sorted by uid;
 * - all events of a wheel are before all events of the wheels above it.
 *
 * | operation    | cost                                                                          |
 * |--------------|-------------------------------------------------------------------------------|
 * | Insert       | constant                                                                      |
 * | RemoveNext   | amortised constant: an event moves down at most once for each wheel           |
 * | PeekNext     | constant; linear in the events of a slot if the lowest wheel is empty         |
 * | Remove       | linear in the events of its slot                                              |
 * | memory       | 37 kB, and 32 bytes for each of the most events that were ever pending at once |
 *
 * While many events are pending, RemoveNext prefetches what the next ones will read, as far as they
 * are ForeseenEvents in the lowest wheel: within 4096 time steps, 4 us if a step is 1 ns.
 *
 * m_now is the time of the event that was removed last. An earlier event, which a simulator never
 * has, is accepted too; the events in the wheels below the differing digit are then sorted in anew.
 *
 * Source: G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7.
 */
class WheelScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId();

    /**
     * Let the simulator that is made next use this scheduler, unless the environment variable
     * NS_GLOBAL_VALUE names another. Call it before CommandLine::Parse, so that a user's
     * `--SchedulerType` has the last word, and before anything asks the Simulator.
     */
    static void MakeDefault();

    WheelScheduler();
    ~WheelScheduler() override;

    void Insert(const Event& event) override;

    bool IsEmpty() const override
    {
        return m_size == 0;
    }

    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

    /** \return the number of events that fit without new memory */
    std::size_t GetCapacity() const
    {
        return m_pool.GetCapacity();
    }

  private:
    using Index = EventPool::Index;
    using List = EventPool::List;

    static constexpr unsigned TICK_BITS = 12; //!< bits of a timestamp's lowest digit
    static constexpr unsigned SLOT_BITS = 6;  //!< bits of each other digit: one 64-bit mask
    static constexpr unsigned SLOTS = 1U << SLOT_BITS;
    static constexpr unsigned TICKS = 1U << TICK_BITS;
    static constexpr unsigned WHEELS = (64 - TICK_BITS + SLOT_BITS - 1) / SLOT_BITS;

    /** The slots of one digit above the lowest. */
    struct Wheel
    {
        uint64_t used{0}; //!< bit s is set while slot s holds events
        std::array<List, SLOTS> slots{};
    };

    void Foresee(unsigned tick, Index index) const;
    void Put(Index index);
    void DealFirstSlot();
    void GoBackTo(uint64_t timestamp);
    std::vector<Index> TakeAllBelow(unsigned wheel);
    bool RemoveFrom(List& list, bool inUse, const EventKey& key);
    void ClearTick(unsigned tick);
    void ClearSlot(unsigned wheel, unsigned slot);
    static unsigned WheelOf(uint64_t differing);
    static unsigned SlotOf(uint64_t timestamp, unsigned wheel);

    uint64_t m_now{0}; //!< time of the last removed event, time steps; no pending event is earlier
    std::size_t m_size{0}; //!< number of pending events
    EventPool m_pool;
    uint64_t m_groups{0};     //!< bit g is set while m_ticksUsed[g] is not 0
    uint32_t m_wheelsUsed{0}; //!< bit w is set while m_wheels[w].used is not 0
    /** Bit t % 64 of element t / 64: slot t of the lowest wheel holds events. */
    std::array<uint64_t, TICKS / SLOTS> m_ticksUsed{};
    std::array<List, TICKS> m_ticks{};
    std::array<Wheel, WHEELS> m_wheels{};
};

} // namespace ns3::ddl

#endif // DDL_WHEEL_SCHEDULER_H
