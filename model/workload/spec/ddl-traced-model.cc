// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-traced-model.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return the letters and digits, small */
std::string
Simplify(const std::string& name)
{
    std::string simple;
    for (const unsigned char c : name)
    {
        if (std::isalnum(c))
        {
            simple += static_cast<char>(std::tolower(c));
        }
    }
    return simple;
}

} // namespace

const ModelProfile*
FindTracedModel(const std::string& name)
{
    // Names in use for networks that the papers call otherwise.
    static const std::map<std::string, std::string> others = {{"inception3", "inceptionv3"},
                                                              {"lstm", "lstmptb"}};
    const std::string simple = Simplify(name);
    const auto other = others.find(simple);
    const std::string& wanted = other != others.end() ? other->second : simple;
    const auto& models = ListModels();
    const auto found = std::find_if(models.begin(), models.end(), [&](const auto& model) {
        return Simplify(model.name) == wanted;
    });
    return found != models.end() ? &*found : nullptr;
}

} // namespace ddl
} // namespace ns3
