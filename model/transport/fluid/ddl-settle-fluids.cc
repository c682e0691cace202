// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-settle-fluids.h"

#include "ddl-fluid-offers.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ddl
{

namespace
{

using Rates = std::vector<double>;

constexpr uint32_t MOST_BOUNDS = 100; //!< rounds of narrowing the bounds
constexpr uint32_t MOST_STEPS = 1000; //!< half-way steps between them
constexpr double TOLERANCE = 1e-10;   //!< of the largest capacity

double
Distance(const Rates& a, const Rates& b)
{
    double distance = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        distance = std::max(distance, std::abs(a[i] - b[i]));
    }
    return distance;
}

Rates
Middle(const Rates& a, const Rates& b)
{
    Rates middle(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        middle[i] = (a[i] + b[i]) / 2;
    }
    return middle;
}

/** F for the streams whose rates are sought; the others keep theirs. */
class Image
{
  public:
    Image(const std::vector<FluidPort>& ports,
          const FluidPaths& paths,
          const std::vector<char>& isFixed)
        : m_offers(ports, paths),
          m_isFixed(isFixed)
    {
    }

    Rates Of(const Rates& rates)
    {
        Rates image = m_offers.Compute(rates);
        for (std::size_t i = 0; i < image.size(); ++i)
        {
            image[i] = m_isFixed[i] ? rates[i] : image[i];
        }
        return image;
    }

  private:
    FluidOffers m_offers;
    const std::vector<char>& m_isFixed;
};

/** Scale streams down where a port would carry more than it can. */
void
Fit(const std::vector<FluidPort>& ports, const FluidPaths& paths, Rates& rates)
{
    Rates load(ports.size(), 0);
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        for (const FluidHop& hop : *paths[i])
        {
            load[hop.port] += rates[i];
        }
    }
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        double factor = 1;
        for (const FluidHop& hop : *paths[i])
        {
            const bool isOver = load[hop.port] > ports[hop.port].capacity;
            factor = isOver ? std::min(factor, ports[hop.port].capacity / load[hop.port]) : factor;
        }
        rates[i] *= factor;
    }
}

/** Narrow the bounds until they meet or stay. \return the middle between them */
Rates
Narrow(Image& image, Rates low, double tolerance)
{
    Rates high = image.Of(low);
    double change = Distance(low, high);
    for (uint32_t round = 0; round < MOST_BOUNDS && change > tolerance; ++round)
    {
        low = image.Of(high);
        const Rates before = high;
        high = image.Of(low);
        change = Distance(low, high) > tolerance ? Distance(before, high) : 0;
    }
    return Middle(low, high);
}

/** Go half-way to the image until it is near. \return whether it came near */
bool
Approach(Image& image, Rates& rates, double tolerance)
{
    for (uint32_t step = 0; step < MOST_STEPS; ++step)
    {
        const Rates moved = image.Of(rates);
        if (Distance(rates, moved) <= tolerance)
        {
            return true;
        }
        rates = Middle(rates, moved);
    }
    return false;
}

} // namespace

SettledFluids
SettleFluids(const std::vector<FluidPort>& ports,
             const FluidPaths& paths,
             const std::vector<char>& isFixed,
             const std::vector<double>& rates)
{
    double scale = 0;
    for (const FluidPort& port : ports)
    {
        scale = std::max(scale, port.capacity);
    }
    Image image(ports, paths, isFixed);
    SettledFluids settled{Narrow(image, rates, TOLERANCE * scale)};
    settled.isStable = Approach(image, settled.rates, TOLERANCE * scale);
    Fit(ports, paths, settled.rates);
    return settled;
}

} // namespace ddl
} // namespace ns3
