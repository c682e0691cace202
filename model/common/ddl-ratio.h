// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RATIO_H
#define DDL_RATIO_H

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ns3::ddl
{

/**
 * An exact ratio of two whole numbers of any length, at least 0, for comparisons in which equality
 * counts. It is not reduced: its length is that of all factors, so it is for short calculations.
 */
class Ratio
{
  public:
    using Whole = boost::multiprecision::cpp_int;

    /**
     * \param above the numerator
     * \param below the denominator, not 0
     */
    explicit Ratio(uint64_t above = 0, uint64_t below = 1)
        : m_above(above),
          m_below(below)
    {
    }

    /** \return the exact value of a double. \param value finite, at least 0 */
    static Ratio Of(double value)
    {
        constexpr int digits = std::numeric_limits<double>::digits;
        int exponent = 0;
        const double mantissa = std::frexp(value, &exponent);
        Ratio ratio(static_cast<uint64_t>(std::ldexp(mantissa, digits)));
        const int shift = exponent - digits;
        (shift > 0 ? ratio.m_above : ratio.m_below) <<= std::abs(shift);
        return ratio;
    }

    friend Ratio operator+(const Ratio& a, const Ratio& b)
    {
        return {a.m_above * b.m_below + b.m_above * a.m_below, a.m_below * b.m_below};
    }

    friend Ratio operator*(const Ratio& a, const Ratio& b)
    {
        return {a.m_above * b.m_above, a.m_below * b.m_below};
    }

    /** \param b not 0 */
    friend Ratio operator/(const Ratio& a, const Ratio& b)
    {
        return {a.m_above * b.m_below, a.m_below * b.m_above};
    }

    friend bool operator<(const Ratio& a, const Ratio& b)
    {
        return a.m_above * b.m_below < b.m_above * a.m_below;
    }

    friend bool operator==(const Ratio& a, const Ratio& b)
    {
        return a.m_above * b.m_below == b.m_above * a.m_below;
    }

    /** \return the greatest whole number that is not greater, but no more than `most` */
    uint64_t Floor(uint64_t most) const
    {
        const Whole whole = m_above / m_below;
        return whole < most ? static_cast<uint64_t>(whole) : most;
    }

  private:
    Ratio(const Whole& above, const Whole& below)
        : m_above(above),
          m_below(below)
    {
    }

    Whole m_above;
    Whole m_below;
};

} // namespace ns3::ddl

#endif // DDL_RATIO_H
