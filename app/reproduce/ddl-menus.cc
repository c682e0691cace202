// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-menus.h"

#include "app/plot/ddl-figure.h"
#include "app/text/ddl-complaints.h"
#include "app/text/ddl-markdown.h"
#include "ddl-paper.h"

#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-result-tables.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace ns3::ddl
{

namespace
{

/** \return every registered family that decides something in a run, by name */
std::vector<TypeId>
FindFamilies()
{
    std::vector<TypeId> families;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type != Policy::GetTypeId() && type != Figure::GetTypeId() &&
            type.GetParent() == Policy::GetTypeId())
        {
            families.push_back(type);
        }
    }
    std::sort(families.begin(), families.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    return families;
}

/** \return what a policy says of itself */
std::string
GetSummary(TypeId policy)
{
    ObjectFactory factory;
    factory.SetTypeId(policy);
    return factory.Create<Policy>()->GetSummary();
}

/** \return the policies of a family, each with a line about it, and with its source if it has one
 */
Menu
MakeFamilyMenu(const std::string& title, TypeId family)
{
    Menu menu{title, {}};
    for (const auto& name : ListPolicies(family))
    {
        const TypeId policy = FindPolicy(family, name);
        const PolicySource* const source = FindPolicySource(policy);
        menu.items.push_back(
            {name,
             GetSummary(policy) +
                 (source ? " [" + source->Describe() + "; needs " + source->needs + "]" : "")});
    }
    return menu;
}

/** \return a table of a family's policies with their sources; "" if there is no such family */
std::string
MakePolicyTable(const std::string& familyName)
{
    const auto families = FindFamilies();
    const auto family = std::find_if(families.begin(), families.end(), [&](const TypeId& one) {
        return GetShortName(Policy::GetTypeId(), one) == familyName;
    });
    if (family == families.end())
    {
        return "";
    }
    std::string table =
        FormatMarkdownRow({"policy", "rule", "published", "needs to know"}) + "|---|---|---|---|\n";
    for (const auto& name : ListPolicies(*family))
    {
        const TypeId policy = FindPolicy(*family, name);
        const PolicySource* const source = FindPolicySource(policy);
        table += FormatMarkdownRow({"`" + name + "`",
                                    GetSummary(policy),
                                    source ? source->Describe() : "",
                                    source ? source->needs : ""});
    }
    return table;
}

std::vector<Menu>
MakePolicyMenus()
{
    std::vector<Menu> menus;
    for (const TypeId& family : FindFamilies())
    {
        const auto name = GetShortName(Policy::GetTypeId(), family);
        menus.push_back(MakeFamilyMenu("policies: " + name, family));
    }
    return menus;
}

/** \return text of a time: "34.9 ms", or "46.9 us" if it is shorter than a millisecond */
std::string
FormatPass(Time time)
{
    const bool isShort = time < MilliSeconds(1);
    char text[32];
    std::snprintf(text,
                  sizeof text,
                  "%.1f %s",
                  time.GetSeconds() * (isShort ? 1e6 : 1e3),
                  isShort ? "us" : "ms");
    return text;
}

Menu
MakeModelMenu()
{
    Menu menu{"models", {}};
    for (const auto& model : ListModels())
    {
        char size[32];
        std::snprintf(size, sizeof size, "%.1f MB, ", static_cast<double>(model.bytes) / 1e6);
        const bool isTimed = !(model.forward + model.backward).IsZero();
        const std::size_t layers = model.layers.Get().size();
        menu.items.push_back(
            {model.name,
             std::string(size) +
                 (isTimed ? "forward " + FormatPass(model.forward) + ", backward " +
                                FormatPass(model.backward)
                          : "computes workload.compute.ratio times its communication") +
                 (layers > 0 ? ", " + std::to_string(layers) + " layers" : "") + " (" +
                 model.source + ")"});
    }
    return menu;
}

/** \return figures of a paper as `ddl reproduce` names them with --figure */
std::vector<NamedItem>
ListFigures(const std::string& paper)
{
    std::vector<NamedItem> items{{paper, "all its figures: ddl reproduce " + paper}};
    try
    {
        for (const auto& figure : OpenPaper(paper, FigureVariant::FULL))
        {
            items.push_back(
                {paper + " --figure=" + figure.folder, figure.number + ": " + figure.title});
        }
        return items;
    }
    catch (const InputError&)
    {
        return {{paper, "cannot be read; ddl reproduce " + paper + " says why"}};
    }
}

Menu
MakePaperMenu()
{
    Menu menu{"papers, and their figures", {}};
    for (const auto& paper : ListPapers())
    {
        const auto items = ListFigures(paper);
        menu.items.insert(menu.items.end(), items.begin(), items.end());
    }
    return menu;
}

/** \return the CSV files of results, each with what a row is and the key that has it written */
Menu
MakeResultMenu()
{
    Menu menu{"results", {}};
    for (const auto& table : ListTables())
    {
        const std::string& key = table->key;
        menu.items.push_back(
            {table->GetFile(), table->row + (key.empty() ? "" : " (" + key + ")")});
    }
    return menu;
}

/** A kind of menus, and what makes them. */
struct MenuKind
{
    std::string name;
    std::function<std::vector<Menu>()> make;
};

const std::vector<MenuKind>&
ListKinds()
{
    using Menus = std::vector<Menu>;
    static const std::vector<MenuKind> kinds{
        {"policies", MakePolicyMenus},
        {"models", [] { return Menus{MakeModelMenu()}; }},
        {"clusters",
         [] {
             return Menus{{"clusters", ListPresets(PresetKind::CLUSTER)}};
         }},
        {"schedulers",
         [] {
             return Menus{{"schedulers", ListPresets(PresetKind::SCHEDULER)}};
         }},
        {"scenarios",
         [] {
             return Menus{{"scenarios", ListScenarios()}};
         }},
        {"papers", [] { return Menus{MakePaperMenu()}; }},
        {"figures", [] { return Menus{MakeFamilyMenu("figures", Figure::GetTypeId())}; }},
        {"results", [] { return Menus{MakeResultMenu()}; }}};
    return kinds;
}

} // namespace

std::vector<std::string>
ListMenuKinds()
{
    std::vector<std::string> names;
    for (const auto& kind : ListKinds())
    {
        names.push_back(kind.name);
    }
    return names;
}

std::string
RenewPolicyTables(const std::string& page)
{
    return RenewParts(page, "policies", MakePolicyTable);
}

std::vector<Menu>
MakeMenus(const std::string& kind)
{
    const auto names = ListMenuKinds();
    if (!kind.empty() && std::find(names.begin(), names.end(), kind) == names.end())
    {
        throw InputError("nothing of the kind \"" + kind + "\" can be listed (one of " +
                         JoinNames(names) + ")" + SuggestName(kind, names));
    }
    std::vector<Menu> menus;
    for (const auto& [name, make] : ListKinds())
    {
        if (kind.empty() || kind == name)
        {
            const auto more = make();
            menus.insert(menus.end(), more.begin(), more.end());
        }
    }
    return menus;
}

} // namespace ns3::ddl
