// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wheel-scheduler.h"

#include "ddl-foreseen-event.h"

#include "ns3/abort.h"
#include "ns3/global-value.h"
#include "ns3/type-id.h"

#include <cstdlib>
#include <string>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(WheelScheduler);

namespace
{

/** With fewer pending events, what they read is in the processor's cache anyway: at 16 hosts (some
 * 100 events) prefetching costs 14 % more instructions and gains nothing, at 1,024 it does. */
constexpr std::size_t FORESIGHT = 500;

constexpr const char* SCHEDULER_TYPE = "SchedulerType"; //!< name of ns-3's global value

/** \return the number of the lowest bit of \p mask that is set; \p mask is not 0 */
unsigned
LowestBit(uint64_t mask)
{
    return static_cast<unsigned>(__builtin_ctzll(mask));
}

uint64_t
Bit(unsigned number)
{
    return uint64_t{1} << number;
}

/** \return true if the user chose a scheduler by the environment: "Name=value;Name=value" */
bool
EnvironmentNamesScheduler()
{
    const char* values = std::getenv("NS_GLOBAL_VALUE");
    const std::string wanted = std::string(";") + SCHEDULER_TYPE + "=";
    return values && (";" + std::string(values)).find(wanted) != std::string::npos;
}

} // namespace

TypeId
WheelScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::WheelScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("Ddl")
                            .AddConstructor<WheelScheduler>();
    return tid;
}

void
WheelScheduler::MakeDefault()
{
    if (!EnvironmentNamesScheduler())
    {
        GlobalValue::Bind(SCHEDULER_TYPE, TypeIdValue(GetTypeId()));
    }
}

WheelScheduler::WheelScheduler() = default;

WheelScheduler::~WheelScheduler() = default;

unsigned
WheelScheduler::WheelOf(uint64_t differing)
{
    const unsigned highest = 63U - static_cast<unsigned>(__builtin_clzll(differing));
    return (highest - TICK_BITS) / SLOT_BITS;
}

unsigned
WheelScheduler::SlotOf(uint64_t timestamp, unsigned wheel)
{
    return (timestamp >> (TICK_BITS + SLOT_BITS * wheel)) % SLOTS;
}

void
WheelScheduler::Insert(const Event& event)
{
    if (event.key.m_ts < m_now)
    {
        GoBackTo(event.key.m_ts);
    }
    ++m_size;
    Put(m_pool.Add(event));
}

Scheduler::Event
WheelScheduler::PeekNext() const
{
    NS_ABORT_MSG_IF(IsEmpty(), "PeekNext of an empty event list");
    if (m_groups)
    {
        const unsigned group = LowestBit(m_groups);
        return m_pool.Get(m_ticks[group * SLOTS + LowestBit(m_ticksUsed[group])].head);
    }
    const Wheel& wheel = m_wheels[LowestBit(m_wheelsUsed)];
    Index index = wheel.slots[LowestBit(wheel.used)].head;
    Event first = m_pool.Get(index);
    while ((index = m_pool.GetNext(index)))
    {
        const Event event = m_pool.Get(index);
        first = event < first ? event : first;
    }
    return first;
}

Scheduler::Event
WheelScheduler::RemoveNext()
{
    if (!m_groups)
    {
        NS_ABORT_MSG_IF(IsEmpty(), "RemoveNext of an empty event list");
        DealFirstSlot();
    }
    const unsigned group = LowestBit(m_groups);
    const unsigned tick = group * SLOTS + LowestBit(m_ticksUsed[group]);
    List& list = m_ticks[tick];
    const Index index = list.head;
    const bool foresees = m_size > FORESIGHT && ForeseenEvent::IsUsed();
    if (index == list.tail)
    {
        ClearTick(tick);
        if (foresees && m_groups)
        {
            const unsigned next = LowestBit(m_groups);
            const unsigned first = next * SLOTS + LowestBit(m_ticksUsed[next]);
            Foresee(first, m_ticks[first].head);
        }
    }
    else
    {
        list.head = m_pool.GetNext(index);
        if (foresees)
        {
            Foresee(tick, list.head);
        }
    }
    m_now = m_pool.GetTimestamp(index);
    --m_size;
    m_pool.Release(index);
    return m_pool.Get(index);
}

/**
 * Prefetch what the next events will read. Each event is fetched in steps, as a step reads what the
 * step before it has fetched. \param index the next event's node \param tick that node's slot
 */
void
WheelScheduler::Foresee(unsigned tick, Index index) const
{
    const auto advance = [this, &tick, &index] {
        if (index != m_ticks[tick].tail)
        {
            index = m_pool.GetNext(index);
            return true;
        }
        const unsigned group = tick / SLOTS;
        const uint64_t later = m_ticksUsed[group] & (~uint64_t{0} << (tick % SLOTS) << 1);
        if (later)
        {
            tick = group * SLOTS + LowestBit(later);
        }
        else
        {
            const uint64_t groups = m_groups & (~uint64_t{0} << group << 1);
            if (!groups)
            {
                return false;
            }
            const unsigned next = LowestBit(groups);
            tick = next * SLOTS + LowestBit(m_ticksUsed[next]);
        }
        index = m_ticks[tick].head;
        return true;
    };
    for (unsigned step = ForeseenEvent::STEPS; step-- > 0;)
    {
        ForeseenEvent::ForeseeIfKnown(m_pool.GetImpl(index), step);
        if (!advance())
        {
            return;
        }
    }
    __builtin_prefetch(m_pool.GetImpl(index));
    if (advance())
    {
        m_pool.PrefetchNode(index);
    }
}

void
WheelScheduler::Remove(const Event& event)
{
    const uint64_t differing = event.key.m_ts ^ m_now;
    if (differing < TICKS)
    {
        const auto tick = static_cast<unsigned>(event.key.m_ts % TICKS);
        if (RemoveFrom(m_ticks[tick], m_ticksUsed[tick / SLOTS] & Bit(tick % SLOTS), event.key))
        {
            ClearTick(tick);
        }
        return;
    }
    const unsigned wheel = WheelOf(differing);
    const unsigned slot = SlotOf(event.key.m_ts, wheel);
    if (RemoveFrom(m_wheels[wheel].slots[slot], m_wheels[wheel].used & Bit(slot), event.key))
    {
        ClearSlot(wheel, slot);
    }
}

/** \return true if the list is empty now */
bool
WheelScheduler::RemoveFrom(List& list, bool inUse, const EventKey& key)
{
    const bool isSingle = inUse && list.head == list.tail;
    const Index index = inUse ? m_pool.Unlink(list, key) : 0;
    NS_ABORT_MSG_UNLESS(index, "Remove of an event that is not pending");
    m_pool.Release(index);
    --m_size;
    return isSingle;
}

/** Put an event, at m_now or later, into its wheel and slot. */
void
WheelScheduler::Put(Index index)
{
    const uint64_t timestamp = m_pool.GetTimestamp(index);
    const uint64_t differing = timestamp ^ m_now;
    if (differing < TICKS)
    {
        const auto tick = static_cast<unsigned>(timestamp % TICKS);
        const unsigned group = tick / SLOTS;
        const uint64_t bit = Bit(tick % SLOTS);
        m_pool.InsertByUid(m_ticks[tick], !(m_ticksUsed[group] & bit), index);
        m_ticksUsed[group] |= bit;
        m_groups |= Bit(group);
        return;
    }
    const unsigned wheel = WheelOf(differing);
    const unsigned slot = SlotOf(timestamp, wheel);
    m_pool.Append(m_wheels[wheel].slots[slot], !(m_wheels[wheel].used & Bit(slot)), index);
    m_wheels[wheel].used |= Bit(slot);
    m_wheelsUsed |= 1U << wheel;
}

/** Fill the lowest wheel, which is empty, from the first slot in use above it. */
void
WheelScheduler::DealFirstSlot()
{
    while (!m_groups)
    {
        const unsigned wheel = LowestBit(m_wheelsUsed);
        const unsigned slot = LowestBit(m_wheels[wheel].used);
        const List list = m_wheels[wheel].slots[slot];
        ClearSlot(wheel, slot);
        // Nothing pending is before the slot's beginning, or before its only event.
        const unsigned shift = TICK_BITS + SLOT_BITS * wheel;
        const uint64_t first = m_pool.GetTimestamp(list.head);
        m_now = list.head == list.tail ? first : first >> shift << shift;
        for (Index index = list.head, next = 0; index; index = next)
        {
            next = m_pool.GetNext(index);
            Put(index);
        }
    }
}

/** Set m_now back to an earlier time. Only wheels below the differing digit depend on it. */
void
WheelScheduler::GoBackTo(uint64_t timestamp)
{
    const uint64_t differing = timestamp ^ m_now;
    m_now = timestamp;
    if (differing >= TICKS)
    {
        for (const Index index : TakeAllBelow(WheelOf(differing)))
        {
            Put(index);
        }
    }
}

/** \return all events of the wheels below \p wheel, which are empty then; equal times in order */
std::vector<WheelScheduler::Index>
WheelScheduler::TakeAllBelow(unsigned wheel)
{
    std::vector<Index> taken;
    const auto take = [this, &taken](const List& list) {
        for (Index index = list.head; index; index = m_pool.GetNext(index))
        {
            taken.push_back(index);
        }
    };
    while (m_groups)
    {
        const unsigned group = LowestBit(m_groups);
        const unsigned tick = group * SLOTS + LowestBit(m_ticksUsed[group]);
        take(m_ticks[tick]);
        ClearTick(tick);
    }
    while (m_wheelsUsed && LowestBit(m_wheelsUsed) < wheel)
    {
        const unsigned below = LowestBit(m_wheelsUsed);
        const unsigned slot = LowestBit(m_wheels[below].used);
        take(m_wheels[below].slots[slot]);
        ClearSlot(below, slot);
    }
    return taken;
}

void
WheelScheduler::ClearTick(unsigned tick)
{
    const unsigned group = tick / SLOTS;
    m_ticksUsed[group] &= ~Bit(tick % SLOTS);
    if (!m_ticksUsed[group])
    {
        m_groups &= ~Bit(group);
    }
}

void
WheelScheduler::ClearSlot(unsigned wheel, unsigned slot)
{
    m_wheels[wheel].used &= ~Bit(slot);
    if (!m_wheels[wheel].used)
    {
        m_wheelsUsed &= ~(1U << wheel);
    }
}

} // namespace ns3::ddl
