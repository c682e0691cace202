// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_BUILDER_H
#define DDL_JSON_BUILDER_H

#include "ddl-json-parser.h"

#include "ns3/ddl-error.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Builds values and their lines from the events of nlohmann's parser, for ParseJson(). The parser
 * gives no positions with its events; the builder finds them from the number of bytes it has taken.
 *
 * Every event returns whether the parser shall go on. A key given twice or a number that is too
 * long is noted and the rest still read, so that all of them are reported at once.
 */
class JsonBuilder : public Json::json_sax_t
{
  public:
    /**
     * \param text that is parsed; it, \p name and \p consumed must outlive the builder
     * \param name of the text in messages
     * \param consumed bytes that the parser has taken so far
     */
    JsonBuilder(const std::string& text, const std::string& name, const std::size_t& consumed);

    /** \throws InputError with all that was wrong */
    ParsedJson Finish();

    bool null() override;
    bool boolean(bool value) override;
    bool number_integer(number_integer_t value) override;
    bool number_unsigned(number_unsigned_t value) override;
    bool number_float(number_float_t value, const string_t& digits) override;
    bool string(string_t& value) override;
    bool binary(binary_t& value) override;
    bool start_object(std::size_t elements) override;
    bool key(string_t& value) override;
    bool end_object() override;
    bool start_array(std::size_t elements) override;
    bool end_array() override;
    bool parse_error(std::size_t position,
                     const std::string& token,
                     const nlohmann::detail::exception& error) override;

  private:
    /** An object or list whose end has not been read. */
    struct Level
    {
        Json* value; //!< stable: what is around it does not grow while it is open
        std::string pointer;
        std::size_t line;
        std::map<std::string, std::size_t> keys{}; //!< line of each key of an object so far
        std::string key{};                         //!< its newest key
        std::size_t keyLine{0};
    };

    /** Appends to the innermost open value. \return true */
    bool Add(Json value);
    bool Open(Json value);
    bool Close();
    /** \return line of the end of the newest token */
    std::size_t CountLine();
    /** \return what may have led to the error at an offset, "; ..." or "" */
    std::string Explain(std::size_t offset) const;
    void Complain(std::size_t line, const std::string& pointer, const std::string& what);

    const std::string& m_text;
    const std::string& m_name;
    const std::size_t& m_consumed;
    std::size_t m_counted{0}; //!< bytes in which the newlines have been counted
    std::size_t m_line{1};    //!< line of the byte at m_counted
    std::vector<Level> m_open;
    ParsedJson m_result;
    Json* m_newest{nullptr};     //!< value that was added last
    std::string m_newestPointer; //!< its pointer
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace ns3::ddl

#endif // DDL_JSON_BUILDER_H
