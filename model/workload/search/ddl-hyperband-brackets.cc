// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-hyperband-brackets.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::ddl
{

std::vector<CojobShape>
MakeHyperbandBrackets(uint32_t most, uint32_t eta)
{
    NS_ABORT_MSG_IF(most < 1 || eta < 2, "HyperBand needs an R of 1 and an eta of 2 at least");
    std::vector<uint64_t> powers{1}; // eta^0 ... eta^s_max
    while (powers.back() * eta <= most)
    {
        powers.push_back(powers.back() * eta);
    }
    const uint64_t brackets = powers.size();
    std::vector<CojobShape> shapes;
    for (std::size_t s = brackets; s-- > 0;)
    {
        CojobShape shape;
        shape.jobs = static_cast<uint32_t>((brackets * powers[s] + s) / (s + 1)); // rounded up
        uint64_t done = 0;
        for (std::size_t i = 0; i <= s; ++i)
        {
            const uint64_t end = most / powers[s - i];
            shape.iterations.push_back(end > done ? end - done : 1);
            done += shape.iterations.back();
        }
        shapes.push_back(shape);
    }
    return shapes;
}

} // namespace ns3::ddl
