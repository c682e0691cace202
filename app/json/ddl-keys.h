// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_KEYS_H
#define DDL_KEYS_H

#include "ddl-json-reader.h"

#include "ns3/object-factory.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The keys of an object, as the tables of the documentation list them. */
struct KeyRow
{
    std::string name;
    std::string fallback; //!< default value
    std::string range;
    std::string kind; //!< the only "kind" of the object that has the key; "": all have it
    std::string help;
};

using KeyTables = std::map<std::string, std::vector<KeyRow>>;

/** JSON schema and tables of keys, collected while a document is described. */
struct KeyBook
{
    Json definitions = Json::object(); //!< definitions of the schema
    /** Rows of keys by path, "cluster.topology"; of attributes by family, "network-scheduler". */
    KeyTables tables;
};

class Keys;

/** The name of a key, and its default in words. */
struct Key
{
    Key(const char* keyName) // NOLINT: a name alone is a key
        : name(keyName)
    {
    }

    Key(std::string keyName, std::string without, bool required)
        : name(std::move(keyName)),
          fallback(std::move(without)),
          isRequired(required)
    {
    }

    std::string name;
    std::string fallback{}; //!< default in words; "": the default is the member's value
    bool isRequired{false};
};

/** \return a key that must be given */
Key Required(const std::string& name);
/** \param fallback the default in words: "the policy decides" */
Key Optional(const std::string& name, const std::string& fallback);

/** The path of the value that is described, and the book that its schema and tables go to. */
struct KeyPlace
{
    KeyBook& book;
    std::string path; //!< path of keys, with dots between; lists add nothing

    /** \return schema of an object with those keys, whose table is noted in the book */
    Json Describe(const std::function<void(Keys&)>& keys) const;
};

/**
 * How one member of a struct is read, written and described. The functions may be called as long as
 * the member lives.
 */
struct Member
{
    std::function<void(const JsonValue&)> read; //!< reads a value that is not missing, or complains
    std::function<Json()> write; //!< gives the value as JSON; null: the key is left out
    std::function<Json(const KeyPlace&)> schema; //!< schema without description and default
    std::function<std::string()> range{};        //!< range of a number or quantity, "from 1 to 8"
    std::function<std::vector<std::string>()> names{}; //!< names that the value may be
    std::function<Json()> fallback{};                  //!< default in documents, if not write()
};

/**
 * Visitor of the keys of one object. A function `Describe(Keys&, Struct&)` says once for each key:
 * name, member, range, help. What visits it reads the struct, writes it, or describes it. The
 * struct's own values are the defaults.
 *
 *     void Describe(Keys& keys, ScaleSpec& spec)
 *     {
 *         keys.Add("model", spec.model, {ABOVE_ZERO, 1e6}, "message bytes are multiplied by it");
 *     }
 *
 * Checks across keys stand between the keys, as calls of Check().
 */
class Keys
{
  public:
    virtual ~Keys() = default;

    virtual void Visit(const Key& key, const Member& member, const std::string& help) = 0;
    /** Visit keys that exist only if `isSo`; documentation calls this case `kind`. */
    virtual void When(bool isSo, const std::string& kind, const std::function<void()>& keys);
    /** \return true for visitors that document all keys: they visit those of every kind */
    virtual bool IsDescription() const;
    /** Run a check when the object is read; writing and describing skip it. */
    virtual void Check(const std::function<void(const JsonObject&)>& check);

    /** A string that is read elsewhere. \param names the strings that it may be; none: any */
    void Note(const Key& key, const std::string& help, const std::vector<std::string>& names = {});
    void Add(const Key& key, bool& member, const std::string& help);
    void Add(const Key& key, std::string& member, const std::string& help);
    void Add(const Key& key, double& member, JsonRange<double> range, const std::string& help);
    void Add(const Key& key,
             std::optional<double>& member,
             JsonRange<double> range,
             const std::string& help);
    void Add(const Key& key, Time& member, JsonRange<Time> range, const std::string& help);
    void Add(const Key& key,
             std::optional<Time>& member,
             JsonRange<Time> range,
             const std::string& help);
    void Add(const Key& key,
             DataRate& member,
             const std::string& help,
             JsonRange<DataRate> range = {DataRate(1), DataRate(MAX_UNSIGNED)});

    /** A count. */
    template <typename T, typename = std::enable_if_t<std::is_unsigned_v<T>>>
    void Add(const Key& key, T& member, JsonRange<uint64_t> range, const std::string& help)
    {
        uint64_t wide = member;
        AddCount(key, wide, range, help);
        member = static_cast<T>(wide);
    }

    /** A list of counts or numbers. */
    void Add(const Key& key,
             std::vector<uint32_t>& list,
             JsonRange<uint64_t> each,
             const std::string& help);
    void Add(const Key& key,
             std::vector<uint64_t>& list,
             JsonRange<uint64_t> each,
             const std::string& help);
    void Add(const Key& key,
             std::vector<double>& list,
             JsonRange<double> each,
             const std::string& help);

    /** Bytes, "250MB". */
    void Size(const Key& key,
              uint64_t& member,
              const std::string& help,
              JsonRange<uint64_t> range = {0, MAX_BYTES});

    /** One of some names. */
    void AddName(const Key& key,
                 std::string& member,
                 const std::vector<std::string>& names,
                 const std::string& help);

    /** One of some names, each of which stands for a value. */
    template <typename T>
    void Choice(const Key& key,
                T& member,
                const std::vector<std::pair<std::string, T>>& values,
                const std::string& help)
    {
        std::vector<std::string> names;
        std::string name;
        for (const auto& [each, value] : values)
        {
            names.push_back(each);
            name = value == member ? each : name;
        }
        AddName(key, name, names, help);
        for (const auto& [each, value] : values)
        {
            member = each == name ? value : member;
        }
    }

    /** A policy; the default is the member's own. The member loses its TypeId if the key is wrong.
     */
    void Policy(const Key& key, ObjectFactory& member, TypeId family, const std::string& help);

    /** An object. */
    void Object(const Key& key,
                const std::function<void(Keys&)>& describe,
                const std::string& help);

    template <typename T>
    void Object(const Key& key, T& member, const std::string& help)
    {
        Object(
            key,
            [&member](Keys& keys) { Describe(keys, member); },
            help);
    }

    /** An optional object. */
    template <typename T, typename F>
    void Object(const Key& key, std::optional<T>& member, F&& describe, const std::string& help)
    {
        AddOptional(
            key,
            member.has_value(),
            [&member, &describe](Keys& keys) {
                member = member.value_or(T());
                describe(keys, *member);
            },
            help);
    }

    /** How the elements of a list of objects are read and written. */
    struct List
    {
        std::size_t size;                            //!< number of elements to write
        std::function<void()> clear;                 //!< empties the list before reading
        std::function<void(Keys&)> add;              //!< describes a new element and appends it
        std::function<void(Keys&, std::size_t)> get; //!< describes the element of that index
        bool needsAny{false};                        //!< the list may not be empty
    };

    void Add(const Key& key, const List& list, const std::string& help);

    /** A list of objects. New elements start as copies of the prototype. */
    template <typename T, typename F>
    void Add(const Key& key,
             std::vector<T>& list,
             const T& prototype,
             F&& describe,
             const std::string& help,
             bool needsAny = false)
    {
        Add(key,
            List{list.size(),
                 [&list]() { list.clear(); },
                 [&list, &prototype, &describe](Keys& keys) {
                     T element = prototype;
                     describe(keys, element);
                     list.push_back(std::move(element));
                 },
                 [&list, &describe](Keys& keys, std::size_t i) { describe(keys, list[i]); },
                 needsAny},
            help);
    }

    /**
     * The policy that an object describes: "kind" names it, and all its attributes are keys, with a
     * small first letter. A wrong kind leaves the factory as it is.
     *
     * \param takesOthers whether keys of other kinds are checked and ignored, instead of refused
     */
    void Kind(ObjectFactory& member, TypeId family, bool takesOthers, const std::string& help);

  private:
    void AddCount(const Key& key,
                  uint64_t& member,
                  JsonRange<uint64_t> range,
                  const std::string& help);
    void AddOptional(const Key& key,
                     bool isThere,
                     const std::function<void(Keys&)>& describe,
                     const std::string& help);
};

/** \return the key that stands for an attribute: "minRto" for MinRto */
std::string KeyOf(std::string attribute);

/**
 * Renew the tables of keys in a page of the documentation (RenewParts). They stand between the
 * lines
 * `<!-- keys of PATH -->` and `<!-- end of keys -->`.
 *
 * \param page text in Markdown
 * \param tables rows by path, "cluster.topology", or by family of policies, "network-scheduler"
 * \return the page with these tables
 * \throws InputError when a PATH is that of nothing
 */
std::string RenewKeyTables(const std::string& page, const KeyTables& tables);

/** Read the keys of an object into the struct that \p describe visits. */
void ReadKeys(const JsonObject& object, const std::function<void(Keys&)>& describe);

/** \return the struct that \p describe visits, as a JSON object */
Json WriteKeys(const std::function<void(Keys&)>& describe);

// Members from which other members are made.

Member NumberOf(double& member, JsonRange<double> range);
Member CountOf(uint64_t& member, JsonRange<uint64_t> range);
Member TextOf(std::string& member);
/** A text that can be the name of a folder. */
Member FolderNameOf(std::string& member);

/** A policy, or a random variable: a name, or an object with a type and attributes. */
Member PolicyOf(ObjectFactory& member, TypeId family);

/** An object. */
Member ObjectOf(std::function<void(Keys&)> describe);

/**
 * A list of two values, [start, end].
 *
 * \param isThere whether the list is to be written; set when the list has been read
 */
Member PairOf(const Member& first, const Member& second, bool& isThere);

/** \return the schema {"type": "array", "items": each}, with more keywords */
Json ListSchema(const Json& each, const Json& more = Json::object());

} // namespace ns3::ddl

#endif // DDL_KEYS_H
