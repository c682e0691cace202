// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-paper.h"

#include "app/json/ddl-json-document.h"
#include "app/json/ddl-json-reader.h"
#include "app/plot/ddl-figure.h"
#include "app/results/ddl-csv-table.h"
#include "app/scenario/ddl-home.h"
#include "app/text/ddl-complaints.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <tuple>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

constexpr uint64_t MOST_SEEDS = 1000;

/** Keys and values of a JSON object, as `--set` takes them. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** \return text of a value for `--set` and `--vary`: a string as it is, all else as JSON */
std::string
ToSetting(const JsonValue& value)
{
    const Json& raw = value.Raw();
    if (value.IsString() && raw.get_ref<const std::string&>().empty())
    {
        value.Report("must not be empty");
    }
    return value.IsString() ? raw.get<std::string>() : raw.dump();
}

Settings
ReadSettings(const JsonObject& json)
{
    Settings settings;
    for (const auto& key : json.Keys())
    {
        settings.emplace_back(key, ToSetting(json.At(key)));
    }
    return settings;
}

Selection
ReadSelection(const JsonObject& json)
{
    const Settings settings = ReadSettings(json);
    return {settings.begin(), settings.end()};
}

/** Put an element into a list. It replaces an element of the same key. */
template <typename T, typename Key>
void
Put(std::vector<T>& list, const T& element, Key T::*key)
{
    const auto found = std::find_if(list.begin(), list.end(), [&](const T& other) {
        return other.*key == element.*key;
    });
    if (found == list.end())
    {
        list.push_back(element);
    }
    else
    {
        *found = element;
    }
}

Variation
ReadVariation(const std::string& path, const JsonValue& json)
{
    Variation variation{path, {}};
    for (const auto& value : json.Array())
    {
        const std::string text = ToSetting(value);
        for (const auto& other : variation.values)
        {
            if (other == text)
            {
                value.Report("is there twice");
            }
        }
        variation.values.push_back(text);
    }
    if (json.IsArray() && variation.values.empty())
    {
        json.Report("must have a value at least");
    }
    if (path == "seed")
    {
        json.Report("the seed is varied with \"seeds\": N");
    }
    return variation;
}

/** \return the variation of a key in a comparison, or null */
const Variation*
FindVariation(const FigureComparison& comparison, const std::string& path)
{
    const auto found = std::find_if(comparison.variations.begin(),
                                    comparison.variations.end(),
                                    [&path](const auto& other) { return other.path == path; });
    return found == comparison.variations.end() ? nullptr : &*found;
}

/** Complain if a variation for --all leaves out runs of the default set, since both share these. */
void
CheckMore(const Variation& variation, const Variation* usual, const JsonValue& json)
{
    if (usual == nullptr)
    {
        json.Report("is not varied in the default set, whose runs have to be among these");
        return;
    }
    for (const auto& value : usual->values)
    {
        const auto& values = variation.values;
        if (std::find(values.begin(), values.end(), value) == values.end())
        {
            json.Report("must have " + value + ", which the default set has");
        }
    }
}

/** \return a comparison with what its `all` adds: seeds, and values of keys that vary */
FigureComparison
ReadMore(const JsonObject& json, const FigureComparison& usual)
{
    FigureComparison all = usual;
    all.seeds = json.At("seeds").Unsigned({usual.seeds, MOST_SEEDS}, usual.seeds);
    const JsonObject varied = json.At("vary").Object();
    for (const auto& path : varied.Keys())
    {
        const Variation variation = ReadVariation(path, varied.At(path));
        CheckMore(variation, FindVariation(usual, path), varied.At(path));
        Put(all.variations, variation, &Variation::path);
    }
    return all;
}

/** Read the keys that a comparison and its quick variant have in common. */
void
ReadRuns(const JsonObject& json, FigureComparison& comparison)
{
    comparison.seeds = json.At("seeds").Unsigned({1, MOST_SEEDS}, comparison.seeds);
    for (const auto& setting : ReadSettings(json.At("set").Object()))
    {
        Put(comparison.settings, setting, &Settings::value_type::first);
    }
    const JsonObject varied = json.At("vary").Object();
    for (const auto& path : varied.Keys())
    {
        Put(comparison.variations, ReadVariation(path, varied.At(path)), &Variation::path);
    }
}

FigureComparison
ReadComparison(const JsonObject& json, const PaperFigure& figure, FigureVariant variant)
{
    FigureComparison comparison;
    json.Require("name");
    comparison.name = json.At("name").String("");
    comparison.folder = comparison.name;
    comparison.from = json.At("from").String("");
    if (!comparison.from.empty())
    {
        return comparison; // the rest comes from the other figure
    }
    comparison.scenario = json.At("scenario").String(figure.folder);
    comparison.hasMore = json.Has("all");
    if (json.Has("price"))
    {
        comparison.price = json.At("price").Number({0, NO_LIMIT}, 0);
    }
    ReadRuns(json, comparison);
    const FigureComparison all = ReadMore(json.At("all").Object(), comparison);
    FigureComparison quick = comparison;
    ReadRuns(json.At("quick").Object(), quick);
    quick.folder = comparison.name + "-quick"; // a folder of its own, so that both can be resumed
    return variant == FigureVariant::QUICK ? quick
           : variant == FigureVariant::ALL ? all
                                           : comparison;
}

Measure
ReadMeasure(const JsonObject& json)
{
    Measure measure;
    json.Require("metric");
    measure.model = json.At("model").String("");
    if (json.Has("within"))
    {
        measure.within = json.At("within").Number({0, NO_LIMIT}, 0);
    }
    measure.metric = measure.model.empty() && !measure.within
                         ? json.At("metric").String(measure.metric)
                         : json.At("metric").OneOf(ListColumnMetrics(), measure.metric);
    measure.statistic = json.At("statistic").OneOf(ListStatistics(), measure.statistic);
    if (measure.within && json.Has("statistic"))
    {
        json.At("statistic")
            .Report("has no meaning beside \"within\", which is a part of all values");
    }
    return measure;
}

FigureValue
ReadValue(const JsonObject& json)
{
    FigureValue value;
    json.Require("name");
    value.name = json.At("name").String("");
    value.measure = ReadMeasure(json);
    value.of = ReadSelection(json.At("of").Object());
    value.over = ReadSelection(json.At("over").Object());
    value.sweep = json.At("sweep").String("");
    value.isGreatest = json.At("pick").OneOf({"least", "greatest"}, "least") == "greatest";
    if (value.over.empty())
    {
        value.factor = json.At("factor").Number({ABOVE_ZERO, NO_LIMIT}, value.factor);
        value.unit = json.At("unit").String("");
    }
    for (const char* key : {"published", "program"})
    {
        if (json.Has(key))
        {
            value.isProgram = std::string(key) == "program";
            if (value.published)
            {
                json.At(key).Report("has no meaning beside \"published\"");
            }
            value.published = json.At(key).Number({-NO_LIMIT, NO_LIMIT}, 0);
            json.Require("source");
        }
    }
    value.source = json.At("source").String("");
    if (json.Has("tolerance"))
    {
        value.tolerance = json.At("tolerance").Number({0, NO_LIMIT}, 0);
    }
    return value;
}

FigureOrder
ReadOrder(const JsonObject& json)
{
    FigureOrder order;
    json.Require("name");
    order.name = json.At("name").String("");
    order.measure = ReadMeasure(json);
    json.Require("key");
    order.key = json.At("key").String("");
    order.of = ReadSelection(json.At("of").Object());
    json.Require("ascending");
    order.ascending = ReadVariation(order.key, json.At("ascending")).values;
    json.Require("source");
    order.source = json.At("source").String("");
    return order;
}

FigurePicture
ReadPicture(const JsonValue& json)
{
    const auto menu = ListPolicies(Figure::GetTypeId());
    FigurePicture picture;
    if (!json.IsObject())
    {
        picture.type = json.OneOf(menu, "bars");
        return picture;
    }
    const JsonObject object = json.Object();
    object.Require("type");
    picture.type = object.At("type").OneOf(menu, "bars");
    for (const auto& name : object.At("comparisons").Array())
    {
        picture.comparisons.push_back(name.String(""));
    }
    picture.hasPanels = object.At("panels").Bool(false);
    if (picture.hasPanels && picture.type != "bars")
    {
        object.At("panels").Report("only bars can be drawn with a panel for each comparison");
    }
    return picture;
}

/** Replace names of values by the values. */
void
ExpandNames(PaperFigure& figure)
{
    const auto expand = [&figure](std::string& text) { text = ExpandName(figure, text); };
    const auto expandAll = [&expand](auto& settings) {
        for (auto& setting : settings)
        {
            expand(setting.second);
        }
    };
    for (auto& comparison : figure.comparisons)
    {
        expandAll(comparison.settings);
        for (auto& variation : comparison.variations)
        {
            std::for_each(variation.values.begin(), variation.values.end(), expand);
        }
    }
    for (auto& value : figure.values)
    {
        expandAll(value.of);
        expandAll(value.over);
    }
    for (auto& order : figure.orders)
    {
        expandAll(order.of);
    }
}

PaperFigure
ReadRoot(const JsonObject& root, const std::string& folder, FigureVariant variant)
{
    PaperFigure figure;
    figure.path = folder;
    figure.folder = fs::path(folder).filename().string();
    root.Has("$schema"); // marks the key as known; editors read it
    for (const char* key : {"paper", "figure", "title", "claim", "comparisons"})
    {
        root.Require(key);
    }
    figure.paper = root.At("paper").String("");
    figure.number = root.At("figure").String("");
    figure.title = root.At("title").String("");
    figure.claim = root.At("claim").String("");
    figure.why = root.At("why").String("");
    const Settings names = ReadSettings(root.At("names").Object());
    figure.names = {names.begin(), names.end()};
    for (const auto& comparison : root.At("comparisons").Array())
    {
        figure.comparisons.push_back(ReadComparison(comparison.Object(), figure, variant));
    }
    for (const auto& value : root.At("values").Array())
    {
        figure.values.push_back(ReadValue(value.Object()));
    }
    for (const auto& order : root.At("orders").Array())
    {
        figure.orders.push_back(ReadOrder(order.Object()));
    }
    for (const auto& picture : root.At("pictures").Array())
    {
        figure.pictures.push_back(ReadPicture(picture));
    }
    ExpandNames(figure);
    return figure;
}

bool
IsFolderName(const std::string& name)
{
    return !name.empty() && name[0] != '.' &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return std::isalnum(c) || c == '-' || c == '_' || c == '.';
           });
}

std::string
Index(const std::string& list, std::size_t index)
{
    return "/" + list + "/" + std::to_string(index);
}

/** Complain about names in a figure that cannot name a folder, are given twice, or are unknown. */
void
CheckNames(const PaperFigure& figure, JsonReader& reader)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < figure.comparisons.size(); ++i)
    {
        const std::string& name = figure.comparisons[i].name;
        const std::string pointer = Index("comparisons", i) + "/name";
        if (!IsFolderName(name))
        {
            reader.Report(pointer, "must do as the name of a folder (letters, digits, - _ .)");
        }
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            reader.Report(pointer, "another comparison has that name");
        }
        names.push_back(name);
    }
    if (names.empty())
    {
        reader.Report("/comparisons", "must have a comparison at least");
    }
    for (std::size_t i = 0; i < figure.pictures.size(); ++i)
    {
        for (std::size_t j = 0; j < figure.pictures[i].comparisons.size(); ++j)
        {
            const std::string& name = figure.pictures[i].comparisons[j];
            if (std::find(names.begin(), names.end(), name) == names.end())
            {
                reader.Report(Index("pictures", i) + Index("comparisons", j),
                              "there is no comparison \"" + name + "\" (one of " +
                                  JoinNames(names) + ")");
            }
        }
    }
}

/**
 * Complains about values and orders that identify no runs, or several. It needs a whole paper,
 * because figures use comparisons of one another.
 */
class SelectionCheck
{
  public:
    /** \param isWhole whether the figure has all combinations that it declares */
    SelectionCheck(const PaperFigure& figure, bool isWhole)
        : m_figure(figure),
          m_isWhole(isWhole)
    {
        for (const auto& comparison : figure.comparisons)
        {
            const auto more = ListCombinations(comparison);
            m_runs.insert(m_runs.end(), more.begin(), more.end());
        }
    }

    /** \return complaints about all values and orders */
    std::vector<Diagnostic> Check()
    {
        for (std::size_t i = 0; i < m_figure.values.size(); ++i)
        {
            Check(m_figure.values[i], Index("values", i));
        }
        for (std::size_t i = 0; i < m_figure.orders.size(); ++i)
        {
            Check(m_figure.orders[i], Index("orders", i));
        }
        return std::move(m_complaints);
    }

  private:
    void Check(const FigureValue& value, const std::string& pointer)
    {
        if (value.sweep.empty())
        {
            CheckOne(value.of, pointer + "/of");
            CheckOne(value.over, pointer + "/over");
            return;
        }
        const auto values = ListValues(m_figure, value.sweep);
        if (values.empty())
        {
            Complain(pointer + "/sweep", "no comparison varies " + value.sweep);
        }
        for (const auto& at : values)
        {
            CheckOne(With(value.of, value.sweep, at), pointer + "/of");
            const Selection over = WithDefault(value.over, value.sweep, at);
            CheckOne(Count(over) == 0 ? value.over : over, pointer + "/over");
        }
    }

    void Check(const FigureOrder& order, const std::string& pointer)
    {
        for (std::size_t i = 0; i < order.ascending.size(); ++i)
        {
            CheckOne(With(order.of, order.key, ExpandName(m_figure, order.ascending[i])),
                     pointer + Index("ascending", i));
        }
    }

    long Count(const Selection& wanted) const
    {
        return std::count_if(m_runs.begin(), m_runs.end(), [&wanted](const Selection& runs) {
            return Matches(wanted, runs);
        });
    }

    void CheckOne(const Selection& wanted, const std::string& pointer)
    {
        const long count = wanted.empty() ? 1 : Count(wanted);
        if (count > 1)
        {
            Complain(pointer,
                     std::to_string(count) + " combinations of the comparisons have " +
                         Describe(wanted) + " (name more keys)");
        }
        if (count == 0 && m_isWhole)
        {
            Complain(pointer,
                     "no combination of the comparisons has " + Describe(wanted) +
                         " (keys are those of \"vary\" and \"set\")");
        }
    }

    void Complain(const std::string& pointer, const std::string& what)
    {
        m_complaints.push_back({m_figure.path + "/figure.json", pointer, what});
    }

    const PaperFigure& m_figure;
    bool m_isWhole;
    std::vector<Selection> m_runs; //!< combinations of all comparisons
    std::vector<Diagnostic> m_complaints;
};

/** A folder with a `figure.json`. */
struct FigureFolder
{
    std::string path;
    std::string paper; //!< paper that the file names, "" if it names none
};

/** \return the paper that a figure names; "" when it names none, which its reader complains about
 */
std::string
PeekPaper(const std::string& file)
{
    try
    {
        const Json root = JsonDocument::ParseFile(file).GetRoot();
        return root.is_object() && root.contains("paper") && root["paper"].is_string()
                   ? root["paper"].get<std::string>()
                   : "";
    }
    catch (const InputError&)
    {
        return "";
    }
}

std::vector<FigureFolder>
FindFigureFolders()
{
    std::vector<FigureFolder> folders;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(fs::path(GetHome()) / "scenarios", failure))
    {
        const fs::path file = entry.path() / "figure.json";
        if (fs::is_regular_file(file, failure))
        {
            folders.push_back({entry.path().string(), PeekPaper(file.string())});
        }
    }
    std::sort(folders.begin(), folders.end(), [](const auto& a, const auto& b) {
        return a.path < b.path;
    });
    return folders;
}

/** \return true if a figure comes before another: by the first number in their names, then by name
 */
bool
IsBefore(const PaperFigure& a, const PaperFigure& b)
{
    const auto number = [](const std::string& text) {
        const auto digit = text.find_first_of("0123456789");
        unsigned long value = 0;
        for (auto i = digit; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
             ++i)
        {
            value = std::min(value * 10 + static_cast<unsigned long>(text[i] - '0'), 1000000UL);
        }
        return value;
    };
    return std::make_tuple(number(a.number), a.number, a.folder) <
           std::make_tuple(number(b.number), b.number, b.folder);
}

/** \return the comparison of another figure that \p wanted refers to, or null */
const FigureComparison*
FindOriginal(const std::vector<PaperFigure>& figures, const FigureComparison& wanted)
{
    for (const auto& figure : figures)
    {
        for (const auto& comparison : figure.comparisons)
        {
            if (figure.folder == wanted.from && comparison.name == wanted.name &&
                comparison.from.empty())
            {
                return &comparison;
            }
        }
    }
    return nullptr;
}

/** Complete the comparisons that figures take from other figures. */
void
Complete(std::vector<PaperFigure>& figures, Complaints& complaints)
{
    for (auto& figure : figures)
    {
        for (std::size_t i = 0; i < figure.comparisons.size(); ++i)
        {
            FigureComparison& comparison = figure.comparisons[i];
            if (comparison.from.empty())
            {
                continue;
            }
            const auto* original = FindOriginal(figures, comparison);
            if (!original)
            {
                complaints.Add(
                    {{figure.path + "/figure.json",
                      Index("comparisons", i) + "/from",
                      "the figure \"" + comparison.from + "\" of this paper has no comparison \"" +
                          comparison.name + "\" of its own"}});
                continue;
            }
            const std::string from = comparison.from;
            comparison = *original;
            comparison.from = from;
        }
    }
}

/** \throws InputError with the nearest name, if there is no paper of that name */
void
CheckPaper(const std::string& name)
{
    const auto names = ListPapers();
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        throw InputError("there is no paper \"" + name + "\" (" +
                         (names.empty() ? "no folder below scenarios/ has a figure.json"
                                        : "one of " + JoinNames(names)) +
                         ")" + SuggestName(name, names));
    }
}

/** \return position of a figure's value by its name; the number of values if there is none */
std::size_t
FindValue(const PaperFigure& figure, const std::string& name)
{
    const auto found = std::find_if(figure.values.begin(),
                                    figure.values.end(),
                                    [&name](const auto& value) { return value.name == name; });
    return static_cast<std::size_t>(found - figure.values.begin());
}

/** \return why a row of `expected.csv` is wrong, "" if it is not */
std::string
ComplainAboutRow(const PaperFigure& figure, const CsvTable& table, std::size_t row)
{
    const std::string variant = table.GetText(row, "variant");
    if (!FindVariant(variant))
    {
        return "the variant is \"" + variant + "\" (one of full, quick, all)";
    }
    const std::string name = table.GetText(row, "value");
    if (FindValue(figure, name) == figure.values.size())
    {
        std::vector<std::string> names;
        for (const auto& value : figure.values)
        {
            names.push_back(value.name);
        }
        return "figure.json has no value \"" + name + "\"" + SuggestName(name, names);
    }
    const auto tolerance = table.GetNumber(row, "tolerance");
    if (!table.GetNumber(row, "expected") || !tolerance || *tolerance < 0)
    {
        return "\"" + name + "\" needs a number in expected, and one from 0 on in tolerance";
    }
    return "";
}

/** Remove rows of the default set that rows of --all replace. */
void
DropReplaced(std::vector<FigureExpectation>& rows)
{
    std::set<std::size_t> replaced;
    for (const auto& row : rows)
    {
        if (!row.isFull)
        {
            replaced.insert(row.value);
        }
    }
    rows.erase(std::remove_if(rows.begin(),
                              rows.end(),
                              [&replaced](const auto& row) {
                                  return row.isFull && replaced.count(row.value) > 0;
                              }),
               rows.end());
}

/** \return true if --all measures a value on the runs of the default set alone */
bool
HasUsualRuns(const PaperFigure& figure, const FigureValue& value)
{
    const auto isMeant = [&value](const Selection& runs) {
        return Matches(value.of, runs) || (!value.over.empty() && Matches(value.over, runs));
    };
    return std::none_of(figure.comparisons.begin(),
                        figure.comparisons.end(),
                        [&isMeant](const auto& comparison) {
                            const auto runs = ListCombinations(comparison);
                            return comparison.hasMore &&
                                   std::any_of(runs.begin(), runs.end(), isMeant);
                        });
}

/** Remove rows of the default set whose values --all measures on more runs. */
void
DropChanged(PaperFigure& figure)
{
    auto& rows = figure.expected;
    rows.erase(std::remove_if(rows.begin(),
                              rows.end(),
                              [&figure](const auto& row) {
                                  return row.isFull &&
                                         !HasUsualRuns(figure, figure.values[row.value]);
                              }),
               rows.end());
}

/** \return the figures of a paper, complete, by number; throws as OpenPaper */
std::vector<PaperFigure>
ReadFigures(const std::string& name, FigureVariant variant)
{
    std::vector<PaperFigure> figures;
    Complaints complaints;
    for (const auto& folder : FindFigureFolders())
    {
        // A file that names no paper may be meant for this one: its complaints are shown too.
        if (folder.paper.empty() || folder.paper == name)
        {
            complaints.Try([&] { figures.push_back(ReadPaperFigure(folder.path, variant)); });
        }
    }
    complaints.Throw();
    std::sort(figures.begin(), figures.end(), IsBefore);
    Complete(figures, complaints);
    complaints.Throw();
    for (auto& figure : figures)
    {
        DropChanged(figure);
    }
    return figures;
}

} // namespace

std::string
GetVariantName(FigureVariant variant)
{
    return variant == FigureVariant::QUICK ? "quick"
           : variant == FigureVariant::ALL ? "all"
                                           : "full";
}

std::optional<FigureVariant>
FindVariant(const std::string& name)
{
    for (const auto variant : {FigureVariant::FULL, FigureVariant::QUICK, FigureVariant::ALL})
    {
        if (GetVariantName(variant) == name)
        {
            return variant;
        }
    }
    return std::nullopt;
}

PaperFigure
ReadPaperFigure(const std::string& folder, FigureVariant variant)
{
    const auto document = JsonDocument::ParseFile(folder + "/figure.json");
    std::vector<Diagnostic> diagnostics;
    JsonReader reader(document, diagnostics);
    PaperFigure figure = ReadRoot(reader.Root(), folder, variant);
    CheckNames(figure, reader);
    reader.Finish();
    figure.expected = ReadExpected(figure, variant, diagnostics);
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return figure;
}

std::vector<FigureExpectation>
ReadExpected(const PaperFigure& figure, FigureVariant variant, std::vector<Diagnostic>& diagnostics)
{
    std::vector<FigureExpectation> rows;
    const std::string path = figure.path + "/expected.csv";
    if (!fs::exists(path))
    {
        return rows;
    }
    const std::string wanted = GetVariantName(variant);
    try
    {
        const CsvTable table(path);
        for (std::size_t row = 0; !table.HasColumn("run") && row < table.GetRows(); ++row)
        {
            const std::string complaint = ComplainAboutRow(figure, table, row);
            if (!complaint.empty())
            {
                diagnostics.push_back({table.Where(row), "", complaint});
            }
            const std::string of = complaint.empty() ? table.GetText(row, "variant") : "";
            const bool isFull = variant == FigureVariant::ALL && of == "full";
            if (of == wanted || isFull)
            {
                rows.push_back({FindValue(figure, table.GetText(row, "value")),
                                *table.GetNumber(row, "expected"),
                                *table.GetNumber(row, "tolerance"),
                                table.GetText(row, "source"),
                                isFull});
            }
        }
        DropReplaced(rows);
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
    return rows;
}

std::string
ExpandName(const PaperFigure& figure, const std::string& text)
{
    const auto found = figure.names.find(text);
    return found == figure.names.end() ? text : found->second;
}

std::string
NameValue(const PaperFigure& figure, const std::string& value)
{
    const auto found = std::find_if(figure.names.begin(),
                                    figure.names.end(),
                                    [&value](const auto& name) { return name.second == value; });
    return found == figure.names.end() ? value : found->first;
}

bool
Matches(const Selection& wanted, const Selection& runs)
{
    return std::all_of(wanted.begin(), wanted.end(), [&runs](const auto& entry) {
        const auto found = runs.find(entry.first);
        return found != runs.end() && found->second == entry.second;
    });
}

Selection
With(Selection selection, const std::string& key, const std::string& value)
{
    selection[key] = value;
    return selection;
}

Selection
WithDefault(Selection selection, const std::string& key, const std::string& value)
{
    selection.emplace(key, value);
    return selection;
}

Selection
GetSettings(const FigureComparison& comparison)
{
    return {comparison.settings.begin(), comparison.settings.end()};
}

std::vector<Selection>
ListCombinations(const FigureComparison& comparison)
{
    std::vector<Selection> all;
    for (const auto& values : CrossProduct(comparison.variations))
    {
        Selection runs = GetSettings(comparison);
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            runs[comparison.variations[i].path] = values[i];
        }
        all.push_back(runs);
    }
    return all;
}

std::size_t
CountRuns(const FigureComparison& comparison)
{
    return ListCombinations(comparison).size() * comparison.seeds;
}

std::vector<std::string>
ListValues(const PaperFigure& figure, const std::string& key)
{
    std::vector<std::string> values;
    for (const auto& comparison : figure.comparisons)
    {
        for (const auto& variation : comparison.variations)
        {
            for (const auto& value : variation.values)
            {
                const bool isNew = std::find(values.begin(), values.end(), value) == values.end();
                if (variation.path == key && isNew)
                {
                    values.push_back(value);
                }
            }
        }
    }
    return values;
}

std::string
Describe(const Selection& selection)
{
    std::string text;
    for (const auto& [key, value] : selection)
    {
        text += (text.empty() ? "" : ", ") + key.substr(key.rfind('.') + 1) + " " + value;
    }
    return text;
}

std::vector<std::string>
ListPapers()
{
    std::set<std::string> names;
    for (const auto& folder : FindFigureFolders())
    {
        if (!folder.paper.empty())
        {
            names.insert(folder.paper);
        }
    }
    return {names.begin(), names.end()};
}

std::vector<PaperFigure>
OpenPaper(const std::string& name, FigureVariant variant)
{
    CheckPaper(name);
    const auto figures = ReadFigures(name, variant);
    // Some values need runs that only --all has.
    const bool isUsual = variant == FigureVariant::FULL;
    Complaints complaints;
    for (const auto& figure : isUsual ? ReadFigures(name, FigureVariant::ALL) : figures)
    {
        complaints.Add(SelectionCheck(figure, variant != FigureVariant::QUICK).Check());
    }
    complaints.Throw();
    return figures;
}

} // namespace ns3::ddl
