// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-contention-model.h"

#include "ns3/abort.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double CALIBRATED_RATE = 10e9; //!< rate of the calibration, bits per second

} // namespace

double
ContentionModel::Predict(uint32_t tasks, uint64_t bytes) const
{
    return a + (tasks * b + (tasks - 1.0) * eta) * static_cast<double>(bytes);
}

double
ContentionModel::GetRemaining(double bytes, Time elapsed) const
{
    const double moving = std::max(0.0, elapsed.GetSeconds() - a);
    return std::max(0.0, bytes - moving / b);
}

ContentionModel
GetCalibratedModel(const std::string& transport,
                   const std::string& congestionControl,
                   DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0, "a NIC has a rate");
    // These are the results of ddl-gate-study calibration. For rdma eta is -0.1 % of b, for tcp
    // with dctcp a is -13 us: both are 0 here, within the error of the fit.
    static const std::map<std::pair<std::string, std::string>, ContentionModel> fitted = {
        {{"rdma", "dctcp"}, {6.57e-6, 8.58e-10, 0}},
        {{"tcp", "cubic"}, {4.21e-5, 8.83e-10, 1.27e-11}},
        {{"tcp", "dctcp"}, {0, 9.38e-10, 1.29e-10}}};
    const double scale = CALIBRATED_RATE / static_cast<double>(rate.GetBitRate());
    const auto found = fitted.find({transport, congestionControl});
    const ContentionModel model =
        found == fitted.end() ? ContentionModel{0, 8 / CALIBRATED_RATE, 0} : found->second;
    return {model.a, model.b * scale, model.eta * scale};
}

} // namespace ns3::ddl
