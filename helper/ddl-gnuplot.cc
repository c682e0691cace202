// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gnuplot.h"

#include "ddl-child-process.h"

#include "ns3/ddl-error.h"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <gnuplot-iostream.h>
#include <sstream>
#include <unistd.h>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

/** A gnuplot that dies early must not take us along while we write to it. */
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

/** \return what was written to \p file, on one line, cut where it gets long */
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
 * \param gnuplot its path
 * \param folder where it runs
 * \param script what it reads
 * \param errors takes what it says
 * \return its exit status
 */
int
Feed(const std::string& gnuplot,
     const fs::path& folder,
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
        stream << script << std::flush;
    } // closes the pipe, which ends gnuplot
    return child.Wait();
}

} // namespace

const std::vector<std::string>&
ListPictureFormats()
{
    static const std::vector<std::string> formats{"png", "svg", "pdf"};
    return formats;
}

std::string
DrawWithGnuplot(const fs::path& folder, const std::string& name, const std::string& format)
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
    const int status =
        Feed(fs::absolute(gnuplot).string(), // the child runs elsewhere
             folder,
             "format = '" + format + "'\nload " + QuoteForGnuplot(name + ".gp") + "\n",
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
    std::string quoted = "'";
    for (const char c : text)
    {
        quoted += c == '\'' ? "''" : c == '\n' ? "' . \"\\n\" . '" : std::string(1, c);
    }
    return quoted + "'";
}

std::string
BeginGnuplotScript(const std::string& name, const std::string& title)
{
    std::ostringstream script;
    script << "# Draw again:        gnuplot " << name << ".gp\n"
           << "# In another format: gnuplot -e \"format='svg'\" " << name << ".gp   (or pdf)\n"
           << "if (!exists('format')) format = 'png'\n"
           << "set encoding utf8\n"
           << "if (format eq 'png') set terminal pngcairo noenhanced size 1280,800 font 'Sans,16'"
           << " linewidth 2\n"
           << "if (format eq 'svg') set terminal svg noenhanced size 1280,800 font 'Sans,16'"
           << " linewidth 2 background 'white'\n"
           << "if (format eq 'pdf') set terminal pdfcairo noenhanced size 24cm,15cm font 'Sans,12'"
           << " linewidth 2\n"
           << "set output '" << name << ".' . format\n"
           << "set datafile separator ','\n"
           << "set datafile commentschars ''\n";
    int number = 0;
    for (const char* const colour :
         {"0072B2", "E69F00", "009E73", "D55E00", "CC79A7", "56B4E9", "000000", "F0E442"})
    {
        script << "set linetype " << ++number << " linecolor rgb '#" << colour << "'\n";
    }
    script << "set linetype cycle 8\n"
           << "set border 3 linecolor rgb '#555555'\n"
           << "set tics nomirror out\n"
           << "set grid y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
           << "set title " << QuoteForGnuplot(title) << " font ',18'\n";
    return script.str();
}

std::string
EndGnuplotScript()
{
    return "unset output\n";
}

} // namespace ddl
} // namespace ns3
