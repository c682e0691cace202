// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-report-model.h"

#include "app/plot/ddl-figure.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** Prints a report as plain text: blocks with an empty line between them. */
class TextPrinter
{
  public:
    TextPrinter(const Report& report, std::size_t width, std::size_t most)
        : m_width(width),
          m_most(most)
    {
        if (!report.title.empty())
        {
            m_out << report.kind << '\n';
            PrintTitle(report.title, '=');
            for (const auto& lead : report.leads)
            {
                PrintLines("", lead.text);
            }
        }
        for (const auto& section : report.sections)
        {
            if (!section.title.empty())
            {
                Separate();
                PrintTitle(section.title, '=');
            }
            for (const auto& block : section.blocks)
            {
                std::visit([this](const auto& one) { Print(one); }, block);
            }
        }
    }

    /** \return the text, without characters that would move a terminal's cursor or change its
     * colours */
    std::string GetText() const
    {
        std::string text = m_out.str();
        std::replace_if(
            text.begin(),
            text.end(),
            [](char c) { return c != '\n' && std::iscntrl(static_cast<unsigned char>(c)) != 0; },
            ' ');
        return text;
    }

  private:
    /** Begin a block. \param mayFollow a text may follow it without an empty line */
    void Separate(bool mayFollow = false)
    {
        m_out << (m_out.tellp() > 0 ? "\n" : "");
        m_mayFollow = mayFollow;
    }

    void PrintLines(const std::string& before, const std::string& text)
    {
        for (const auto& line : WrapText(text, m_width - before.size()))
        {
            m_out << before << line << '\n';
        }
    }

    void PrintTitle(const std::string& title, char rule)
    {
        m_out << title << '\n' << std::string(CountCharacters(title), rule) << '\n';
    }

    void Print(const Report::Heading& heading)
    {
        Separate();
        PrintTitle(heading.text, '-');
    }

    void Print(const Report::Text& text)
    {
        if (!m_mayFollow)
        {
            Separate(true);
        }
        PrintLines("", text.text);
    }

    void Print(const Report::Warning& warning)
    {
        Separate();
        const std::size_t shown = std::min(warning.lines.size(), m_most);
        for (std::size_t i = 0; i < shown; ++i)
        {
            PrintLines("! ", warning.lines[i]);
        }
        PrintCut("! ", shown, warning.lines.size(), "paragraphs");
    }

    void Print(const Report::Tiles& tiles)
    {
        Separate();
        std::string line;
        for (const auto& [number, name] : tiles.tiles)
        {
            line += (line.empty() ? "" : ", ") + number.text + " " + name;
        }
        PrintLines("", line);
    }

    void Print(const Report::Table& table)
    {
        Separate(true);
        TextTable text(table.header);
        const std::size_t shown = std::min(table.rows.size(), m_most);
        for (std::size_t i = 0; i < shown; ++i)
        {
            std::vector<std::string> fields;
            for (const auto& cell : table.rows[i])
            {
                fields.push_back(boost::replace_all_copy(cell.text, "\n", " "));
            }
            text.AddRow(fields);
        }
        text.Print(m_out, m_width, table.isText);
        PrintCut("", shown, table.rows.size(), "rows");
    }

    void Print(const Report::Picture& picture)
    {
        const Chart& chart = picture.chart;
        Separate();
        PrintLines("",
                   (chart.title.empty() ? "Chart" : "Chart: " + chart.title) +
                       (chart.note.empty() ? "" : " (" + chart.note + ")"));
        for (const auto& file : picture.files)
        {
            m_out << "    " << file << '\n';
        }
    }

    void Print(const Report::Code& code)
    {
        Separate();
        PrintLines("", code.summary + ":");
        std::istringstream lines(code.text);
        std::size_t all = 0;
        for (std::string line; std::getline(lines, line);)
        {
            if (all++ < m_most)
            {
                m_out << "    " << line << '\n';
            }
        }
        PrintCut("    ", std::min(all, m_most), all, "lines");
    }

    /** Say how much of a long block is shown, unless it is all. */
    void PrintCut(const std::string& before,
                  std::size_t shown,
                  std::size_t all,
                  const std::string& what)
    {
        if (shown < all)
        {
            m_out << before << "The first " << shown << " of " << all << " " << what << ".\n";
        }
    }

    std::size_t m_width;
    std::size_t m_most;
    std::ostringstream m_out;
    bool m_mayFollow{false};
};

} // namespace

void
Report::Begin(const std::string& section)
{
    if (!sections.back().title.empty() && sections.back().blocks.empty())
    {
        sections.pop_back();
    }
    sections.push_back({section});
}

void
Report::Add(Block block)
{
    sections.back().blocks.push_back(std::move(block));
}

bool
AddFigure(const std::string& name,
          const std::vector<ResultSet>& sets,
          Report& report,
          const std::string& title,
          const std::string& group)
{
    try
    {
        Chart chart = CreatePolicy<Figure>(name)->Make(sets);
        if (chart.panels.empty())
        {
            return false;
        }
        chart.title += title.empty() ? "" : ": " + title;
        report.Add(Report::Picture{chart, group});
        return true;
    }
    catch (const InputError& error)
    {
        report.Add(Report::Warning{{"No figure " + name + ": " + error.what()}});
        return false;
    }
}

std::string
FormatText(const Report& report, std::size_t width, std::size_t most)
{
    return TextPrinter(report, width, most).GetText();
}

} // namespace ns3::ddl
