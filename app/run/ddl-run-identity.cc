// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-identity.h"

#include "app/json/ddl-json-policy.h"
#include "app/scenario/ddl-scenario-writer.h"

#include "ns3/ddl-content-hash.h"
#include "ns3/ddl-graph-topology.h"
#include "ns3/ddl-network-format.h"
#include "ns3/ddl-plugin.h"
#include "ns3/global-value.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <link.h>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace ns3::ddl
{

namespace
{

using Texts = std::map<std::string, std::string>;

/** A file that the running program has loaded: executable or library. */
struct ProgramPart
{
    std::string path;
    std::string buildId; //!< build id by the linker; "" if there is none
};

/** \return bytes of the GNU build id in an ELF segment of notes; "" if there is none */
std::string
FindBuildId(const char* notes, std::size_t size)
{
    const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
    std::size_t at = 0;
    while (at + sizeof(ElfW(Nhdr)) <= size)
    {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes + at, sizeof(note));
        const char* const name = notes + at + sizeof(note);
        const char* const content = name + padded(note.n_namesz);
        at += sizeof(note) + padded(note.n_namesz) + padded(note.n_descsz);
        if (at <= size && note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            std::memcmp(name, "GNU", 4) == 0)
        {
            return {content, note.n_descsz};
        }
    }
    return "";
}

/** \return true for files whose code computes results: program, this library, ns-3's, libm */
bool
GivesNumbers(const std::string& path)
{
    const std::string name = path.substr(path.rfind('/') + 1);
    const auto begins = [&name](const std::string& with) {
        return name.compare(0, with.size(), with) == 0;
    };
    return path.empty() || begins("libddl") || begins("libns3") || begins("libm.");
}

int
AddProgramPart(dl_phdr_info* object, std::size_t, void* parts)
{
    const std::string path = object->dlpi_name; // "" for the program itself
    std::string buildId;
    for (int i = 0; i < object->dlpi_phnum && GivesNumbers(path); ++i)
    {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type == PT_NOTE && buildId.empty())
        {
            buildId =
                FindBuildId(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr),
                            segment.p_memsz);
        }
    }
    if (GivesNumbers(path))
    {
        static_cast<std::vector<ProgramPart>*>(parts)->push_back(
            {path.empty() ? "/proc/self/exe" : path, buildId});
    }
    return 0;
}

/** \return a hash that differs between builds of the program */
std::string
HashProgram()
{
    std::vector<ProgramPart> parts;
    dl_iterate_phdr(AddProgramPart, &parts);
    std::set<std::string> ids; // sorted: the loader's order may differ
    for (const auto& part : parts)
    {
        ids.insert(part.buildId.empty() ? HashFile(part.path) : part.buildId);
    }
    std::string all;
    for (const auto& id : ids)
    {
        all += id + "\n";
    }
    return HashText(all);
}

/** \return ns-3's global values; the scenario's seed takes the place of RngSeed */
Texts
ListGlobals()
{
    Texts globals;
    for (auto global = GlobalValue::Begin(); global != GlobalValue::End(); ++global)
    {
        StringValue value;
        (*global)->GetValue(value);
        globals[(*global)->GetName()] = value.Get();
    }
    globals.erase("RngSeed");
    return globals;
}

/** \return a hash of the network that the scenario has in a file; "" if it has none there */
std::string
HashNetworkFile(const Scenario& scenario)
{
    const ObjectFactory& shape = scenario.cluster.topology.shape;
    if (shape.GetTypeId() != GraphTopology::GetTypeId())
    {
        return "";
    }
    const auto topology = shape.Create<GraphTopology>();
    if (topology->GetFile().empty())
    {
        return "";
    }
    std::ostringstream text;
    CreatePolicy<NetworkFormat>("json")->Write(*topology->GetNetwork(), text);
    return HashText(text.str());
}

/** \return a value as text; an object is written as its attributes, not as its address */
std::string
FormatValue(const AttributeValue& value, Ptr<const AttributeChecker> checker)
{
    const auto pointer = dynamic_cast<const PointerValue*>(&value);
    const Ptr<Object> object = pointer ? pointer->GetObject() : nullptr;
    if (!object)
    {
        return pointer ? "" : FormatAttribute(value, checker);
    }
    std::string text = object->GetInstanceTypeId().GetName();
    TypeId type = object->GetInstanceTypeId();
    for (bool isLast = false; !isLast; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            const auto inner = attribute.checker->Create();
            if (attribute.accessor->HasGetter() &&
                object->GetAttributeFailSafe(attribute.name, *inner))
            {
                text += "|" + attribute.name + "=" + FormatValue(*inner, attribute.checker);
            }
        }
        isLast = !type.HasParent() || type.GetParent() == type;
    }
    return text;
}

/** \return attributes of all types whose default is not the one that they were compiled with */
Texts
ListChangedDefaults()
{
    Texts changed;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            const auto attribute = type.GetAttribute(j);
            if (attribute.initialValue != attribute.originalInitialValue)
            {
                changed[type.GetAttributeFullName(j)] =
                    FormatValue(*attribute.initialValue, attribute.checker);
            }
        }
    }
    if (const char* const wanted = std::getenv("NS_ATTRIBUTE_DEFAULT"))
    {
        changed["NS_ATTRIBUTE_DEFAULT"] = wanted; // read by ns-3 whenever it makes an object
    }
    return changed;
}

/** \return hashes of the task graphs that come from files, each once */
Json
ListGraphs(const WorkloadSpec& workload)
{
    std::set<std::string> hashes;
    const auto add = [&hashes](const std::optional<GraphSource>& source) {
        if (source)
        {
            hashes.insert(source->hash);
        }
    };
    for (const CojobSpec& group : workload.groups)
    {
        for (const JobSpec& job : group.jobs)
        {
            add(job.graphSource);
        }
    }
    for (const auto& model :
         workload.generator ? workload.generator->models : std::vector<GeneratorModel>())
    {
        add(model.graphSource);
    }
    for (const ReplayGraph& graph : workload.replay.graphs)
    {
        add(graph.source);
    }
    return Json(hashes);
}

} // namespace

RunIdentity
IdentifyRun(const Scenario& scenario)
{
    Json program = {{"attributes", ListChangedDefaults()},
                    {"build", HashProgram()},
                    {"globals", ListGlobals()},
                    {"plugins", ListPlugins()},
                    {"trace", scenario.workload.traceHash}};
    const std::string network = HashNetworkFile(scenario);
    if (!network.empty())
    {
        program["network"] = network;
    }
    const Json graphs = ListGraphs(scenario.workload);
    if (!graphs.empty())
    {
        program["graphs"] = graphs;
    }
    return {scenario.name,
            GetSeed(scenario),
            scenario.scale.model,
            scenario.scale.iterations,
            FormatScenario(scenario),
            program.dump()};
}

std::string
ReadIdentity(const std::string& file)
{
    std::ifstream stream(file);
    const Json all = Json::parse(stream, nullptr, false);
    Json identity; // nested keys stay in the order of the file: one build writes one order
    for (const char* key : {"identity", "scenario", "versions"})
    {
        if (!all.is_object() || !all.contains(key))
        {
            return "";
        }
        identity[key] = all[key];
    }
    return identity.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace ns3::ddl
