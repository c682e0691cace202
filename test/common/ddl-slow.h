// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SLOW_H
#define DDL_SLOW_H

#include <cstdlib>

namespace ns3::ddl
{

/** \return number of a test's trials: `slow` under `./ddl test --slow`, else `usual` */
template <typename Number>
Number
HowOften(Number usual, Number slow)
{
    return std::getenv("DDL_TEST_SLOW") ? slow : usual;
}

} // namespace ns3::ddl

#endif // DDL_SLOW_H
