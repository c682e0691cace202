// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STEADY_STRETCH_H
#define DDL_STEADY_STRETCH_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace ns3::ddl
{

/**
 * What streams delivered between two changes that concern them, by windows of equal length: the
 * streams of one component, which are joined by saturated ports.
 */
struct Stretch
{
    std::vector<double> hops;              //!< links on the path of each stream
    std::vector<std::vector<float>> bytes; //!< bytes delivered, by stream and window

    std::size_t GetWindows() const
    {
        return bytes.empty() ? 0 : bytes.front().size();
    }
};

/**
 * When rates are steady: in `length` windows, the sums of bytes over each `smoothing` consecutive
 * windows are within a tolerance of their mean. Differences of up to a packet do not count, since a
 * steady stream of packets has one more in some windows than in others.
 */
struct SteadyRule
{
    double tolerance{0.01};   //!< largest difference, over the mean
    std::size_t smoothing{1}; //!< windows that are summed before they are compared
    std::size_t length{10};   //!< windows after which steadiness is recognised; >= smoothing
    bool together{false};     //!< the tolerance is for the sum over streams, not for each of them
};

/** What two simulators that skip would save in stretches. Both simulate the first `length` windows
 * of a steady time, in which they recognise it. Byte-hops are bytes times links. */
struct SteadySum
{
    /** What was skipped, and how wrongly. */
    struct Skipped
    {
        double byteHops{0};
        double bytes{0};
        double error{0}; //!< sum over streams of the difference from the recognised rate, bytes
    };

    double steady{0};    //!< byte-hops of steady times, their first windows included
    Skipped whileSteady; //!< by one that knows when the rates will leave the tolerance
    Skipped untilChange; //!< by one that knows nothing, and goes on to the stretch's end

    SteadySum& operator+=(const SteadySum& other);
};

/**
 * Measure a stretch: from the left, each longest time of at least `length` windows that stays
 * within the tolerance of the mean of its first `length` windows.
 *
 * \param stretch streams with equal numbers of windows
 * \param rule what is steady
 * \param packet bytes of a packet
 */
SteadySum MeasureStretch(const Stretch& stretch, const SteadyRule& rule, double packet);

/** A stream in one window, in which it had bytes to deliver. */
struct StreamWindow
{
    uint32_t stream{0};
    double hops{0}; //!< links on its path
    double bytes{0};
    bool changed{false}; //!< its message began or ended in the window, or its mark or path changed
    bool ended{false};   //!< it has nothing to deliver now
};

/**
 * Divides the activity of streams, window by window, into stretches.
 *
 * A component is a set of streams. Streams are alone at first. A port that is saturated in a window
 * joins the components of its streams: their common stretch begins with the later of their own, and
 * what the older one had before is a stretch by itself. A window in which a stream of a component
 * changes ends the component's stretch and belongs to none; afterwards its streams are alone again.
 * Memory: one number for each stream and window of open stretches.
 */
class StretchFinder
{
  public:
    using Callback = std::function<void(const Stretch&)>;

    /** \param found callback for each stretch of at least one window */
    explicit StretchFinder(Callback found);

    /**
     * \param streams all streams with something to deliver in the window
     * \param saturated the streams at each saturated port
     */
    void AddWindow(const std::vector<StreamWindow>& streams,
                   const std::vector<std::vector<uint32_t>>& saturated);

    /** End all stretches. */
    void Finish();

    /** \return byte-hops of all windows */
    double GetByteHops() const
    {
        return m_byteHops;
    }

    /** \return byte-hops of windows with a change in the component */
    double GetChanging() const
    {
        return m_changing;
    }

  private:
    /** A stream of a component. */
    struct Member
    {
        uint32_t component{0};
        double hops{0};
        std::vector<float> bytes; //!< bytes by window since the component's stretch began
    };

    struct Component
    {
        uint64_t begin{0}; //!< first window of the stretch
        std::vector<uint32_t> members;
    };

    void Break(uint32_t component);
    void AddAlone(const StreamWindow& window);
    void Join(uint32_t first, uint32_t second);
    void Emit(const Component& component, std::size_t windows);

    Callback m_found;
    std::map<uint32_t, Member> m_members;       //!< by stream
    std::map<uint32_t, Component> m_components; //!< by number
    uint32_t m_last{0};                         //!< number of the newest component
    uint64_t m_window{0};                       //!< number of the present window
    double m_byteHops{0};
    double m_changing{0};
};

} // namespace ns3::ddl

#endif // DDL_STEADY_STRETCH_H
