// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gnuplot.h"

#include "app/process/ddl-child-process.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <gnuplot-iostream.h>
#include <sstream>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** While an object of it lives, writing to a gnuplot that has ended fails without a SIGPIPE. */
class NoBrokenPipe
{
  public:
    NoBrokenPipe()
        : m_before(std::signal(SIGPIPE, SIG_IGN))
    {
    }

    ~NoBrokenPipe()
    {
        std::signal(SIGPIPE, m_before);
    }

    NoBrokenPipe(const NoBrokenPipe&) = delete;
    NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

  private:
    void (*m_before)(int);
};

/** \return the text that was written to \p file, on one line, cut if it is long */
std::string
ReadComplaint(std::FILE* file)
{
    constexpr std::size_t LONGEST = 300;
    std::string text;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF && text.size() < LONGEST; c = std::fgetc(file))
    {
        const bool isBlank = std::isspace(c) != 0;
        if (!isBlank || (!text.empty() && text.back() != ' '))
        {
            text += isBlank ? ' ' : static_cast<char>(c);
        }
    }
    return text;
}

/**
 * Run a gnuplot that reads data and script from gnuplot-iostream's stream. It is a ChildProcess,
 * whose pipe the stream gets. If the stream started it itself (popen), exit status and error
 * messages would be lost, gnuplot would get the Ctrl-C that is meant for this process, and it could
 * outlive this process.
 *
 * \param gnuplot path of gnuplot
 * \param folder folder where gnuplot runs
 * \param send sends the data, if not empty
 * \param script script that gnuplot reads after the data
 * \param errors gets gnuplot's error messages
 * \return exit status of gnuplot
 */
int
Feed(const std::string& gnuplot,
     const fs::path& folder,
     const std::function<void(gnuplotio::Gnuplot&)>& send,
     const std::string& script,
     std::FILE* errors)
{
    int pipe[2];
    if (pipe2(pipe, O_CLOEXEC) != 0)
    {
        throw RunError("no pipe to gnuplot");
    }
    const NoBrokenPipe guard;
    // Without the user's own start-up file, which may change anything.
    ChildProcess child({{gnuplot, "--default-settings"}, folder.string(), pipe[0], fileno(errors)});
    close(pipe[0]);
    {
        gnuplotio::Gnuplot stream(fdopen(pipe[1], "w"));
        if (send)
        {
            send(stream);
        }
        stream << script << std::flush;
    } // here the stream closes the pipe, which ends gnuplot
    return child.Wait();
}

/** A width of pictures, and the size of text that goes with it. */
struct Paper
{
    double centimetres;
    double points;
};

constexpr Paper PAGE{17.4, 9};
constexpr Paper COLUMN{8.5, 7};
constexpr double CM_PER_POINT = 2.54 / 72;
constexpr double LINE = 1.25;      //!< height of a line of text over the size of its letters
constexpr double LETTER = 0.6;     //!< mean width of a letter over the size of letters
constexpr double GUTTER = 5.6;     //!< width of the y axis, in lines: tics of six letters
constexpr double KEY_SAMPLE = 7;   //!< width of the sample of a key entry, in letters
constexpr double TITLE_SIZE = 1.1; //!< size of a title over that of other text
constexpr double NOTE_SIZE = 0.9;

/** \return height of a line, cm */
double
GetLine(const Paper& paper)
{
    return paper.points * LINE * CM_PER_POINT;
}

/** \return number of letters, \p size times as large as usual, that fit into a picture's width */
std::size_t
CountLetters(const Paper& paper, double size = 1)
{
    return static_cast<std::size_t>(paper.centimetres /
                                    (paper.points * size * LETTER * CM_PER_POINT));
}

/** \return the text without its middle if it is too long: names of series differ at their ends */
std::string
CutMiddle(const std::string& text, std::size_t most)
{
    const std::string dots = "...";
    const std::size_t all = CountCharacters(text);
    if (all <= most)
    {
        return text;
    }
    const std::size_t kept = most - dots.size();
    return text.substr(0, FindCharacter(text, kept / 2)) + dots +
           text.substr(FindCharacter(text, all - (kept - kept / 2)));
}

/** \return a gnuplot expression that gives one of two, by the width of the picture */
std::string
ChooseByWidth(const std::string& page, const std::string& column)
{
    return page == column ? page : "(narrow ? " + column + " : " + page + ")";
}

std::string
ChooseByWidth(const ByWidth& numbers)
{
    std::ostringstream page;
    std::ostringstream column;
    page << numbers.page;
    column << numbers.column;
    return ChooseByWidth(page.str(), column.str());
}

/** \return script that does one thing or the other, by the width of the picture */
std::string
DoByWidth(const std::string& page, const std::string& column)
{
    return "if (narrow) {\n" + column + "\n} else {\n" + page + "\n}\n";
}

/** A text above the plots, in lines that fit into each width. */
struct Heading
{
    std::string text; //!< gnuplot expression of the text
    ByWidth height;   //!< its height, in lines of usual size
};

/** \param size size of the letters over that of other text */
Heading
LayOutHeading(const std::string& text, double size)
{
    const auto page = WrapText(text, CountLetters(PAGE, size), true);
    const auto column = WrapText(text, CountLetters(COLUMN, size), true);
    return {ChooseByWidth(QuoteForGnuplot(boost::join(page, "\n")),
                          QuoteForGnuplot(boost::join(column, "\n"))),
            {static_cast<double>(page.size()) * size, static_cast<double>(column.size()) * size}};
}

constexpr int MARK_FACE = 13; //!< gnuplot's point type of a filled diamond
constexpr int MARK_EDGE = 12; //!< gnuplot's point type of an open diamond

/** \return number of rows of a frame's key below a picture */
std::size_t
CountKeyRows(const FigureFrame& frame, const Paper& paper)
{
    const std::size_t entries = frame.key.size() + (frame.mark.empty() ? 0 : 1);
    if (entries == 0)
    {
        return 0;
    }
    std::size_t longest = frame.mark.size();
    for (const auto& line : frame.key)
    {
        longest = std::max(longest, CountCharacters(line.name));
    }
    const auto letters = static_cast<double>(CountLetters(paper));
    const auto columns = static_cast<std::size_t>(
        std::max(1.0, letters / (static_cast<double>(longest) + KEY_SAMPLE)));
    return (entries + columns - 1) / columns;
}

/** \return script that sets names of tics. \param height gets their height, in lines of text */
std::string
LayOutNames(const std::vector<std::string>& names, const Paper& paper, double& height)
{
    constexpr double SMALLEST = 0.78; //!< least size over the usual one; below it, names are turned
    constexpr double ROOM = 0.88;     //!< part of a place that a name may fill
    constexpr std::size_t LONGEST = 28; //!< most letters of a turned name
    const double place = (paper.centimetres - GUTTER * GetLine(paper)) / CM_PER_POINT /
                         static_cast<double>(std::max<std::size_t>(1, names.size()));
    // letters that fit into a place, but at least the longest word
    std::size_t room = static_cast<std::size_t>(ROOM * place / (LETTER * paper.points));
    for (const auto& name : names)
    {
        std::istringstream words(name);
        for (std::string word; words >> word;)
        {
            room = std::max(room, CountCharacters(word));
        }
    }
    std::size_t longest = 1;
    std::size_t most = 1;
    std::size_t turnedLongest = 1;
    std::vector<std::string> broken;
    std::vector<std::string> whole;
    for (const auto& name : names)
    {
        const auto lines = WrapText(name, room, true);
        for (const auto& line : lines)
        {
            longest = std::max(longest, CountCharacters(line));
        }
        most = std::max(most, lines.size());
        broken.push_back(boost::join(lines, "\n"));
        whole.push_back(CutMiddle(boost::replace_all_copy(name, "\n", " "), LONGEST));
        turnedLongest = std::max(turnedLongest, CountCharacters(whole.back()));
    }
    const double fitting = ROOM * place / (LETTER * static_cast<double>(longest));
    double size = std::min(paper.points, fitting);
    std::string how = "norotate";
    const bool isTurned = size < SMALLEST * paper.points;
    if (isTurned)
    {
        constexpr double ANGLE = 40;
        const double sine = std::sin(ANGLE * M_PI / 180);
        size = std::min(SMALLEST * paper.points, place / LINE);
        const double length = static_cast<double>(turnedLongest) * LETTER * size;
        // aslant, but upright if the first name would leave the picture or names would overlap
        const double gutter = GUTTER * LINE * paper.points + place / 2;
        const bool isUpright =
            length * std::cos(ANGLE * M_PI / 180) > gutter || place * sine < LINE * size;
        height = length * (isUpright ? 1 : sine) / (LINE * paper.points) + 0.8;
        how = isUpright ? "rotate by 90 right" : "rotate by 40 right";
    }
    else
    {
        height = static_cast<double>(most) * size / paper.points + 0.6;
    }
    std::ostringstream script;
    script << "set xtics scale 0 " << how << " font '," << size << "' (";
    const auto& shown = isTurned ? whole : broken;
    for (std::size_t i = 0; i < shown.size(); ++i)
    {
        script << (i == 0 ? "" : ", ") << QuoteTic(shown[i]) << " " << i;
    }
    script << ")";
    return script.str();
}

} // namespace

std::string
DrawWithGnuplot(const fs::path& folder,
                const std::string& name,
                const std::string& format,
                const std::string& width,
                const std::function<void(gnuplotio::Gnuplot&)>& send,
                bool isTitled)
{
    const fs::path picture = folder / (name + "." + format);
    std::error_code ignored;
    fs::remove(picture, ignored);
    const std::string again = "; " + (folder / (name + ".gp")).string() + " is ready to be drawn";
    const std::string gnuplot = FindProgram("gnuplot");
    if (gnuplot.empty())
    {
        return "gnuplot is not installed (Debian: gnuplot-nox)" + again;
    }
    std::FILE* const errors = std::tmpfile();
    if (!errors)
    {
        return "no room for a temporary file" + again;
    }
    const int status = Feed(fs::absolute(gnuplot).string(), // the child has another folder
                            folder,
                            send,
                            "format = '" + format + "'\nwidth = '" + width +
                                "'\ntitled = " + (isTitled ? "1" : "0") + "\nload " +
                                QuoteForGnuplot(name + ".gp") + "\n",
                            errors);
    const std::string complaint = ReadComplaint(errors);
    std::fclose(errors);
    // gnuplot ends with 0 after some of its errors, so only the picture itself counts.
    const bool isThere = fs::exists(picture, ignored) && fs::file_size(picture, ignored) > 0;
    if (status == 0 && isThere)
    {
        return "";
    }
    fs::remove(picture, ignored);
    return "gnuplot did not draw " + picture.string() + " (exit status " + std::to_string(status) +
           (complaint.empty() ? "" : ": " + complaint) + ")" + again;
}

std::string
QuoteForGnuplot(const std::string& text)
{
    std::string quoted = boost::replace_all_copy(text, "'", "''");
    boost::replace_all(quoted, "\n", "' . \"\\n\" . '");
    return "'" + quoted + "'";
}

std::string
QuoteTic(const std::string& name)
{
    return QuoteForGnuplot(boost::replace_all_copy(name, "%", "%%"));
}

TicNames
LayOutAxisNames(const std::vector<std::string>& names, std::size_t panels)
{
    TicNames axis;
    const Paper panel{PAGE.centimetres / static_cast<double>(panels), PAGE.points};
    const std::string page = LayOutNames(names, panel, axis.lines.page);
    axis.script = DoByWidth(page, LayOutNames(names, COLUMN, axis.lines.column));
    return axis;
}

TicNames
LayOutRowNames(const std::vector<std::string>& names)
{
    constexpr double PART = 0.42; //!< most of the picture's width that names take
    constexpr double GAP = 0.7;   //!< space between two rows, in lines of text
    constexpr double TIC = 1.2;   //!< space between a name and the axis, in letters
    TicNames rows;
    const auto layOut = [&names](const Paper& paper, double& height) {
        const auto most = static_cast<std::size_t>(PART * static_cast<double>(CountLetters(paper)));
        std::size_t lines = 1;
        std::size_t longest = 1;
        std::ostringstream tics;
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            const auto broken = WrapText(names[i], most, true);
            lines = std::max(lines, broken.size());
            for (const auto& line : broken)
            {
                longest = std::max(longest, CountCharacters(line));
            }
            tics << (i == 0 ? "" : ", ") << QuoteTic(boost::join(broken, "\n")) << " " << i;
        }
        height = static_cast<double>(names.size()) * (static_cast<double>(lines) + GAP);
        const double margin =
            (static_cast<double>(longest) + TIC) * LETTER * paper.points * CM_PER_POINT;
        return "set lmargin at screen " + FormatReal(margin / paper.centimetres) +
               "\nset ytics scale 0 (" + tics.str() + ")";
    };
    const std::string page = layOut(PAGE, rows.lines.page);
    rows.script = DoByWidth(page, layOut(COLUMN, rows.lines.column));
    return rows;
}

SeriesLook
GetSeriesLook(std::size_t series)
{
    static const std::vector<std::string>
        colours{"0072B2", "E69F00", "009E73", "D55E00", "CC79A7", "56B4E9", "000000"};
    static const std::array<int, 3> dashes{1, 2, 4}; // solid, dashed, dashed and dotted
    static const std::array<int, 7> filled{7, 5, 9, 11, 13, 15, 3}; // disc, square, ...
    static const std::array<int, 7> open{6, 4, 8, 10, 12, 14, 2};
    static const std::array<std::string, 3> fillings{"fillstyle solid 0.9 noborder",
                                                     "fillstyle solid 0.3 border",
                                                     "fillstyle empty border"};
    const std::size_t round = series / colours.size();
    const std::size_t colour = series % colours.size();
    // in the third round, a colour gets the marker of another one
    const std::array<int, 7>& markers = round % 2 == 0 ? filled : open;
    return {colours[colour],
            dashes[round % dashes.size()],
            markers[(colour + round / 2 * 3) % markers.size()],
            fillings[round % fillings.size()]};
}

double
GetLineWidth(std::size_t series, std::size_t of)
{
    constexpr double WIDEST = 3.2;
    constexpr double THINNEST = 1.2;
    return of < 2 ? (WIDEST + THINNEST) / 2
                  : WIDEST - (WIDEST - THINNEST) * static_cast<double>(series) /
                                 static_cast<double>(of - 1);
}

std::string
BeginGnuplotScript(const FigureFrame& frame)
{
    const Heading title = LayOutHeading(frame.title, TITLE_SIZE);
    const Heading note = frame.note.empty() ? Heading() : LayOutHeading(frame.note, NOTE_SIZE);
    const auto foot = [&frame](const Paper& paper) {
        const std::size_t rows = CountKeyRows(frame, paper);
        return rows == 0 ? 0.3 : static_cast<double>(rows) + 0.8;
    };
    std::ostringstream script;
    script
        << "# Draw again:        gnuplot " << frame.name << ".gp\n"
        << "# In another format: gnuplot -e \"format='svg'\" " << frame.name << ".gp   (or pdf)\n"
        << "# One column wide:   gnuplot -e \"width='column'\" " << frame.name << ".gp\n"
        << "# Without its title: gnuplot -e \"titled=0\" " << frame.name << ".gp\n"
        << "if (!exists('format')) format = 'png'\n"
        << "if (!exists('width')) width = 'page'\n"
        << "if (!exists('titled')) titled = 1\n"
        << "if (!exists('data')) { data = " << QuoteForGnuplot(frame.name + "-data.csv")
        << "; set datafile separator ',' }\n"
        << "narrow = width eq 'column'\n"
        << "set encoding utf8\n\n"
        << "# Sizes are in centimetres; those of text are in points. A line of text is as high as "
           "`line`.\n"
        << "across = narrow ? " << COLUMN.centimetres << " : " << PAGE.centimetres << "\n"
        << "points = narrow ? " << COLUMN.points << " : " << PAGE.points << "\n"
        << "line = points * " << LINE << " * 2.54 / 72\n"
        << "panelsAcross = narrow ? 1 : " << frame.panels << "\n"
        << "panelsDown = " << frame.panels << " / panelsAcross\n"
        << "title = titled ? " << ChooseByWidth(title.height) << " : 0  # lines\n"
        << "head = line * (title + " << ChooseByWidth(note.height) << " + 1.1)\n"
        << "body = "
        << (frame.body.page > 0 ? "line * " + ChooseByWidth(frame.body)
                                : "narrow ? 4.6 : panelsAcross > 1 ? 6.6 : 7.6")
        << "\n"
        << "below = line * " << ChooseByWidth(frame.below) << "\n"
        << "foot = line * " << ChooseByWidth({foot(PAGE), foot(COLUMN)}) << "\n"
        << "tall = head + panelsDown * (body + below) + foot\n"
        << "pixels = 200 / 2.54  # of a png, per cm\n\n"
        << "if (format eq 'png') set terminal pngcairo noenhanced size across * pixels, tall * "
           "pixels font sprintf('Sans,%g', points) fontscale 200 / 96.0 linewidth narrow ? 1.3 : "
           "1.6 "
           "pointscale narrow ? 1.5 : 2\n"
        << "if (format eq 'svg') set terminal svg noenhanced size across / 2.54 * 96, tall / 2.54 "
           "* 96 font sprintf('Sans,%g', points) fontscale 4 / 3.0 linewidth narrow ? 0.7 : 0.9 "
           "dashlength 0.6 background 'white'\n"
        << "if (format eq 'svg') set pointsize narrow ? 0.7 : 0.8\n"
        << "if (format eq 'pdf') set terminal pdfcairo noenhanced size across / 2.54, tall / 2.54 "
           "font sprintf('Sans,%g', points) fontscale 0.75 linewidth narrow ? 0.9 : 1.1 pointscale "
           "narrow ? "
           "0.55 : 0.65\n"
        << (frame.mark.empty() ? ""
                               : "markSize = format eq 'svg' ? 1.2 : 1.5  # of published values\n")
        << "set output '" << frame.name << ".' . format\n"
        << "set datafile commentschars ''\n"
        << "set border 3 linecolor rgb '#555555' linewidth 0.7\n"
        << "set tics nomirror out scale 0.5\n"
        << "set grid y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n\n"
        << "set multiplot\n"
        << "if (titled) set label 1 " << title.text
        << " at screen 0.5, screen 1 - line / tall center font sprintf(',%g', points * "
        << TITLE_SIZE << ")\n";
    if (!frame.note.empty())
    {
        script << "set label 2 " << note.text << " at screen 0.5, screen 1 - line * (1 + title)"
               << " / tall center font sprintf(',%g', points * " << NOTE_SIZE
               << ") textcolor rgb '#444444'\n";
    }
    script
        << "set key at screen 0.5, screen (foot - 0.2 * line) / tall center top vertical maxrows "
        << ChooseByWidth({static_cast<double>(CountKeyRows(frame, PAGE)),
                          static_cast<double>(CountKeyRows(frame, COLUMN))})
        << " Left reverse samplen 2.5 spacing 1 noautotitle\n";
    return script.str();
}

std::string
PlaceGnuplotPanel(std::size_t panel)
{
    std::ostringstream script;
    script << "\n"
           << (panel == 0 ? "" : "unset label\nunset key\n") << "panel = " << panel << "\n"
           << "set lmargin at screen ((panel % panelsAcross) * across / panelsAcross + line * "
           << GUTTER << ") / across\n"
           << "set rmargin at screen ((panel % panelsAcross + 1) * across / panelsAcross - 1.4 * "
              "line) "
              "/ across\n"
           << "set tmargin at screen 1 - (head + panel / panelsAcross * (body + below)) / tall\n"
           << "set bmargin at screen 1 - (head + panel / panelsAcross * (body + below) + body) / "
              "tall\n";
    return script.str();
}

std::vector<std::string>
ListGnuplotKey(const FigureFrame& frame)
{
    std::vector<std::string> elements;
    for (const auto& [name, look] : frame.key)
    {
        const auto cut = [name = name](const Paper& paper) {
            return QuoteForGnuplot(
                CutMiddle(name, CountLetters(paper) - static_cast<std::size_t>(KEY_SAMPLE)));
        };
        elements.push_back("keyentry with " + look + " title " +
                           ChooseByWidth(cut(PAGE), cut(COLUMN)));
    }
    if (!frame.mark.empty())
    {
        elements.push_back("keyentry with points pointtype " + std::to_string(MARK_EDGE) +
                           " pointsize markSize linewidth 1.2 linecolor rgb '#000000' title " +
                           QuoteForGnuplot(frame.mark));
    }
    return elements;
}

std::string
FormatGnuplotMarks(const std::string& points, const std::string& colour)
{
    return points + " with points pointtype " + std::to_string(MARK_FACE) +
           " pointsize 1.3 * markSize linecolor rgb '#FFFFFF', \\\n  " + points +
           " with points pointtype " + std::to_string(MARK_EDGE) +
           " pointsize markSize linewidth 1.2 linecolor rgb '#" + colour + "'";
}

std::string
EndGnuplotScript()
{
    return "unset multiplot\nunset output\n";
}

} // namespace ns3::ddl
