#include "tools/insight/syntax/parser_programs.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <utility>

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/fd.h"
#include "runtime/json/reader.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/base/start_program.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/delegate.h"

namespace snapgen::core {
namespace {

using ParserClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds parsing_time_max(10'000);  // For all texts of a language together.

// Reads "<size>\n<text>" for each text, and prints "<index> <line> <column> <message>" for each that it
// rejects, with line 0 for a doubt. The last line proves that it read all.
constexpr std::string_view python_script = R"script(import re, sys, warnings
warnings.simplefilter("ignore")
version = sys.version_info
def doubt(error, text):
    line, message = error.text or "", error.msg
    if message.startswith("Missing parentheses in call to ") or re.match(rb"#!.*python2", text): return "Python 2"
    newer = (version < (3, 10) and re.match(r"\s*(match|case)\b.*:", line)
        or version < (3, 12) and re.match(r"\s*(type\s+\w|(async\s+)?def\s+\w+\s*\[|class\s+\w+\s*\[)", line)
        or version < (3, 12) and re.search(r"\b[rR]?[fF][rR]?['\"]", line) and re.match("f-string|invalid syntax|unterminated", message)
        or version < (3, 14) and (message.startswith("multiple exception types") or re.search(r"\b[rR]?[tT][rR]?['\"]", line))
        or version < (3, 15) and re.match(r"\s*lazy\s+(import|from)\b", line))
    return "syntax of another Python" if newer else ""
source, index = sys.stdin.buffer, 0
while size := source.readline():
    text = source.read(int(size))
    try:
        compile(text, "text", "exec", dont_inherit=True)
    except SyntaxError as error:
        words = doubt(error, text)
        place = "0 0" if words else "%d %d" % (error.lineno or 1, max(error.offset or 0, 0))
        print(index, place, words or error.msg.replace("\n", " "))
    except Exception:
        print(index, "0 0 deep nesting")
    index += 1
print("end")
)script";

constexpr std::string_view node_script = R"script(
const vm = require('vm');
const input = require('fs').readFileSync(0);
const failure = (parse) => { try { parse(); } catch (error) { return error; } };
const context = ['exports', 'require', 'module', '__filename', '__dirname'];
// Only an error that ends a process tells its place in a module.
const reader = "new (require('vm').SourceTextModule)(require('fs').readFileSync(0, 'utf8'), { identifier: 'text' })";
const uncaught = (text) => require('child_process').spawnSync(process.execPath, ['--no-warnings', '--experimental-vm-modules', '-e', reader], { input: text }).stderr;
let out = '';
for (let at = 0, index = 0; at < input.length; ++index) {
  const begin = input.indexOf(10, at) + 1, end = begin + Number(input.toString('latin1', at, begin - 1));
  const text = input.toString('utf8', begin, end).replace(/^\uFEFF/, '').replace(/^#!/, '//');
  at = end;
  const asModule = failure(() => new vm.SourceTextModule(text, { identifier: 'text' }));
  const asScript = asModule && failure(() => vm.compileFunction(text, context, { filename: 'text' }));
  if (!asScript) continue;
  const error = /^\s*(import|export)\b/m.test(text) ? asModule : asScript;
  const stack = String(error === asModule ? uncaught(text) : error.stack).split('\n'), line = stack[1] ?? '';
  const number = /^text:(\d+)/.exec(stack[0])?.[1];
  const isOther = /@flow\b/.test(text) || /@|\|>|::|^\s*(import\s+type|export\s+type|export\s+\w+\s+from)\b/.test(line);
  if (!(error instanceof SyntaxError) || !number || isOther) out += `${index} 0 0 syntax of another JavaScript\n`;
  else out += `${index} ${number} ${(stack[2] ?? '').indexOf('^') + 1} ${error.message.split('\n')[0]}\n`;
}
process.stdout.write(out + 'end\n');
)script";

enum class ParserKind : std::uint8_t { bash, go, javascript, php, python, ruby };

struct Parser {
  ParserKind kind;
  std::string_view tool;
  std::string_view program;
  std::array<std::string_view, 5> arguments;
  std::array<std::string_view, 4> endings;
  bool takes_all;  // One process reads all texts; otherwise each reads one.
};

constexpr Parser parsers[] = {
    {ParserKind::bash, "Bash syntax", "bash", {"--noprofile", "--norc", "-n"}, {".sh", ".bash"}, false},
    {ParserKind::go, "Go syntax", "gofmt", {"-e", "-l"}, {".go"}, false},
    {ParserKind::javascript,
     "JavaScript syntax",
     "node",
     {"--no-warnings", "--experimental-vm-modules", "-e", node_script},
     {".js", ".cjs", ".mjs"},
     true},
    {ParserKind::php, "PHP syntax", "php", {"-n", "-d", "display_errors=1", "-l"}, {".php"}, false},
    {ParserKind::python,
     "Python syntax",
     "python3",
     {"-I", "-S", "-B", "-c", python_script},
     {".py", ".pyi", ".pyw"},
     true},
    {ParserKind::ruby,
     "Ruby syntax",
     "ruby",
     {"-c", "-W0", "--disable=gems,rubyopt", "-"},
     {".rb", ".rake", ".gemspec"},
     false},
};

bool has_prefix_of_other_shell(std::string_view first_line) {
  return first_line.find("zsh") != first_line.npos || first_line.find("fish") != first_line.npos ||
         first_line.find("ksh") != first_line.npos;
}

// Returns the parser of a text by the ending of its path, or by its first line if the name has no ending.
const Parser* parser_of(std::string_view path, std::string_view text) {
  std::string_view first_line = text.substr(0, text.find('\n'));
  if (!first_line.starts_with("#!")) first_line = {};
  const std::string_view name = base_name(path);
  const auto runs = [&](const Parser& each) {
    if (each.kind == ParserKind::bash && has_prefix_of_other_shell(first_line)) return false;
    for (const std::string_view ending : each.endings)
      if (!ending.empty() && name.ends_with(ending)) return true;
    if (name.find('.') != name.npos) return false;
    const std::string_view shown = each.kind == ParserKind::bash ? "sh" : each.program;
    return !first_line.empty() && first_line.find(shown) != first_line.npos;
  };
  const auto* const found = std::ranges::find_if(parsers, runs);
  return found == std::end(parsers) ? nullptr : found;
}

struct EndedParser {
  bool succeeded = false;
  std::string output;  // Standard output and standard error.
};

std::string content_of(int fd) {
  constexpr std::size_t read_bytes_max = 1 << 20;
  std::string text(read_bytes_max, '\0');
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

// Runs a parser until `end` at most. Nullopt: it could not run, or did not end by itself.
std::optional<EndedParser> run_parser(const std::vector<std::string>& words,
                                      const std::vector<std::string>& variables, std::string_view input,
                                      ParserClock::time_point end, const std::stop_token& stop) {
  const Fd given = unnamed_file("snapgen-parser", input), output = unnamed_file("snapgen-parser", {});
  if (!given || !output || stop.stop_requested()) return std::nullopt;
  pid_t child = -1;
  const ProgramStart start{.words = words,
                           .variables = variables,
                           .folder = "/",
                           .input = given.get(),
                           .output = output.get(),
                           .error_output = output.get()};
  if (start_program(start, child) != 0) return std::nullopt;
  {
    // The child is reaped later, so its process id cannot be reused before it is killed.
    const std::stop_callback on_stop(stop, [child] { ::kill(-child, SIGKILL); });
    const Fd ended(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    pollfd polled{ended.get(), POLLIN, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - ParserClock::now()).count();
    if (!ended || ::poll(&polled, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) != 1)
      ::kill(-child, SIGKILL);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status)) return std::nullopt;
  return EndedParser{.succeeded = WEXITSTATUS(status) == 0, .output = content_of(output.get())};
}

// Removes a number and the text behind it. Returns the number; 0 if the text does not begin so.
std::int64_t take_number_and(std::string_view& text, std::string_view behind) {
  constexpr std::size_t digits_max = 9;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > digits_max || !text.substr(digits).starts_with(behind)) return 0;
  const std::int64_t number = std::stoll(std::string(text.substr(0, digits)));
  text.remove_prefix(digits + behind.size());
  return number;
}

// Reads a line of a parser that reads one text. Returns a fault with line 0 if the line has none.
SyntaxFault fault_in_line(ParserKind kind, std::string_view line) {
  SyntaxFault fault;
  constexpr std::string_view php_place = " in Standard input code on line ";
  if (kind == ParserKind::php) {
    const std::size_t at = line.find(php_place);
    const std::size_t begin = line.find("rror: ");
    if (at == line.npos || begin == line.npos || begin > at) return fault;
    std::string_view number = line.substr(at + php_place.size());
    fault.message = trimmed(line.substr(begin + 6, at - begin - 6));
    fault.line = take_number_and(number, "");
    return fault;
  }
  const std::string_view before = kind == ParserKind::go     ? "<standard input>:"
                                  : kind == ParserKind::ruby ? "-:"
                                                             : ": line ";
  const std::size_t at = line.find(before);
  if (at == line.npos || (at > 0 && kind != ParserKind::bash)) return fault;
  line.remove_prefix(at + before.size());
  fault.line = take_number_and(line, ":");
  if (kind == ParserKind::go) fault.column = take_number_and(line, ":");
  fault.message = trimmed(line);
  return fault;
}

// Returns the first fault in what a parser printed that rejects its only text; nullopt if it printed none.
std::optional<SyntaxFault> first_fault(ParserKind kind, std::string_view output) {
  std::optional<SyntaxFault> fault;
  std::string_view line;
  while (next_line(output, line)) {
    // Newer versions of Ruby mark the place, and print the message below it: "^ unexpected end of file".
    if (fault && kind == ParserKind::ruby && fault->message.find("found") != std::string::npos)
      if (const std::size_t mark = line.rfind("^ "); mark != line.npos)
        fault->message = line.substr(mark + 2);
    if (fault) continue;
    SyntaxFault read = fault_in_line(kind, line);
    if (read.line == 0) continue;
    if (!json::valid_utf8(read.message)) read.message = "syntax error";
    fault = std::move(read);
  }
  return fault;
}

// Sets the verdicts on the texts that a script for all texts read. They have none if it did not read all.
void read_verdicts(const Parser& parser, std::string_view output, const std::vector<std::size_t>& indexes,
                   std::vector<ParserVerdict>& verdicts) {
  if (!output.ends_with("end\n")) return;
  for (const std::size_t each : indexes) verdicts[each].tool = parser.tool;
  std::string_view line;
  while (next_line(output, line)) {
    const bool is_first = take_prefix(line, "0 ");
    const std::int64_t index = is_first ? 0 : take_number_and(line, " ");
    if ((!is_first && index == 0) || index >= static_cast<std::int64_t>(indexes.size())) continue;
    ParserVerdict& verdict = verdicts[indexes[static_cast<std::size_t>(index)]];
    if (take_prefix(line, "0 0 ")) {
      verdict.doubt = line == "Python 2"                  ? "Python 2"
                      : line == "deep nesting"            ? "deep nesting"
                      : parser.kind == ParserKind::python ? "syntax of another version of Python"
                                                          : "syntax of another JavaScript";
      continue;
    }
    SyntaxFault fault;
    fault.line = take_number_and(line, " ");
    const bool has_no_column = take_prefix(line, "0 ");
    if (!has_no_column) fault.column = take_number_and(line, " ");
    fault.message = line;
    verdict.fault = std::move(fault);
  }
}

// Returns the canonical form of a path; the path itself if the system does not tell it.
std::string canonical_path(const std::string& path) {
  std::error_code error;
  std::string canonical = std::filesystem::weakly_canonical(path, error).string();
  return error ? path : canonical;
}

// Returns the variables of a parser. Others might name files to load, such as NODE_OPTIONS and BASH_ENV.
std::vector<std::string> variables_with(const std::string& path_variable) {
  return {"PATH=" + path_variable, "HOME=" + environment_variable("HOME").value_or("/"), "LC_ALL=C.UTF-8"};
}

std::vector<std::string> command_of(const Parser& parser, std::string program, std::string_view text) {
  std::vector<std::string> words = {std::move(program)};
  for (const std::string_view each : parser.arguments)
    if (!each.empty()) words.emplace_back(each);
  // Bash parses these patterns only if the option is on, which a script sets when it runs.
  if (parser.kind == ParserKind::bash && text.find("extglob") != text.npos)
    words.insert(words.end(), {"-O", "extglob"});
  return words;
}

}  // namespace

ParserPrograms::ParserPrograms(const std::string& root, std::string_view path_variable)
    : root_(canonical_path(root)) {
  while (!path_variable.empty()) {
    const std::string folder(path_variable.substr(0, path_variable.find(':')));
    path_variable.remove_prefix(std::min(folder.size() + 1, path_variable.size()));
    if (!folder.starts_with('/') || is_at_or_below_folder(canonical_path(folder), root_)) continue;
    path_variable_ += (path_variable_.empty() ? "" : ":") + folder;
  }
}

std::string ParserPrograms::program(std::string_view name) const {
  std::string found = git::find_program(name, path_variable_);
  return found.empty() || is_at_or_below_folder(canonical_path(found), root_) ? std::string() : found;
}

bool ParserPrograms::has_parser(std::string_view path, std::string_view text) const {
  const Parser* const parser = parser_of(path, text);
  return parser != nullptr && !program(parser->program).empty();
}

std::vector<ParserVerdict> ParserPrograms::parse(std::span<const SourceText> texts,
                                                 const std::stop_token& stop) const {
  std::vector<ParserVerdict> verdicts(texts.size());
  const std::vector<std::string> variables = variables_with(path_variable_);
  for (const Parser& parser : parsers) {
    std::vector<std::size_t> own;
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (parser_of(texts[i].path, texts[i].text) != &parser) continue;
      own.push_back(i);
      if (parser.takes_all) all += std::to_string(texts[i].text.size()) + "\n" + texts[i].text;
    }
    const std::string path = own.empty() ? std::string() : program(parser.program);
    if (path.empty()) continue;
    const ParserClock::time_point end = ParserClock::now() + parsing_time_max;
    if (parser.takes_all) {
      const auto ended = run_parser(command_of(parser, path, {}), variables, all, end, stop);
      if (ended && ended->succeeded) read_verdicts(parser, ended->output, own, verdicts);
      continue;
    }
    for (const std::size_t i : own) {
      const auto ended =
          run_parser(command_of(parser, path, texts[i].text), variables, texts[i].text, end, stop);
      if (!ended) break;
      // A program that failed for another reason than the text says nothing about it.
      if (!ended->succeeded) verdicts[i].fault = first_fault(parser.kind, ended->output);
      if (ended->succeeded || verdicts[i].fault) verdicts[i].tool = parser.tool;
    }
  }
  return verdicts;
}

}  // namespace snapgen::core
