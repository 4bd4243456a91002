#include "codegen/author/author.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "codegen/author/command.h"
#include "codegen/author/diff.h"
#include "codegen/author/explain.h"
#include "codegen/author/files.h"
#include "codegen/author/new_tool.h"
#include "codegen/stages/stages.h"
#include "runtime/base/environment.h"

namespace snapgen::codegen {
namespace {

namespace fs = std::filesystem;

constexpr const char* check_help = R"(
Every finding is a line: file:line:column: /pointer: sentence, in colour on a terminal (unless NO_COLOR is set).
With --json they are on standard output instead, as one object:
  {"findings":[{"column":7,"file":"schemas/a/b.json","line":12,"pointer":"/type","proposal":"string","sentence":"..."}]}
`proposal` is what to write instead, where that is clear; `line` and `column` (in bytes) count from 1. A note ("note:
...", or "note":true) is about what is right, but hardly meant.

Without --namespace: server, and server::mcp for the folder mcp.

Exit codes: 0 nothing is wrong, perhaps with notes, 1 there are errors, 2 the command line is wrong or a file cannot be read.

Examples:
  snapgen check
  snapgen check --json --schemas schemas --namespace my::server
)";

constexpr const char* new_help = R"(
`new tool` writes schemas/FAMILY/x.json, tools/FAMILY/x.cc and tests/tools/FAMILY/x.json, which work unchanged, and
prints the next steps. The family is that of the tools with the same prefix, or --family. `new family` writes
schemas/NAME/meson.build, if the schemas are built with Meson, and tools/NAME/error.cc, which turns the errors of the
family's handlers into texts. Nothing is overwritten, and the next `ninja` finds the new files.

Exit codes: 0 written, 1 rejected with the reason, 2 the command line is wrong or a file cannot be read or written.

Examples:
  snapgen new tool snapshot.touch
  snapgen new tool text.count --family substrate
  snapgen new family text
)";

constexpr const char* explain_help = R"(
Prints the names, the types in C++, what the reader checks, and what hosts see in tools/list.

Without --namespace: that of the family's handlers, else server, and server::mcp for the folder mcp.

Exit codes: 0 explained, 1 the schemas have faults, 2 the command line is wrong or a file cannot be read.

Example:
  snapgen explain schemas/substrate/snapshot_info.json
)";

constexpr const char* diff_help = R"(
OLD and NEW are folders of schemas, or schema files in their family's folder, or REVISION:FOLDER of the git repository
here, relative to its root; REVISION:./FOLDER is relative to this folder. Each change is a line: file:line:column,
"breaking" or "fine", the tool, a pointer into it, and a sentence. A change is breaking if it can break a host made for
OLD: a tool that is no longer listed, arguments that are no longer valid or mean something else, or results that were
not possible before, except for new members. Tools whose schemas have faults are not compared.

With --json:
  {"breaking":1,"changes":[{"breaking":true,"column":7,"file":"...","line":12,"pointer":"...","sentence":"...",
   "tool":"snapshot.create"}]}

Exit codes: 0 nothing breaks, 1 something does, 2 the command line is wrong, a file cannot be read, or the schemas of
one side have faults.

Examples:
  snapgen diff HEAD:schemas schemas
  snapgen diff v1/schemas/wire/check.json schemas/wire/check.json
)";

struct AuthorArguments : SchemaArguments {
  bool json = false;
  std::string name, family;
  std::string handlers = "tools", tests = "tests/tools";
  std::string file, old_side, new_side;
};

bool in_colour(int fd) {
  return ::isatty(fd) && !environment_variable("NO_COLOR") &&
         environment_variable("TERM").value_or("") != "dumb";
}

// `name_space` is the default if no option sets the namespace.
Settings author_settings(const AuthorArguments& arguments, const std::string& name_space = "server") {
  Settings settings = parse_settings(arguments);
  if (settings.name_space.empty()) settings.name_space = name_space;
  if (settings.namespaces.empty())
    settings.namespaces.emplace_back(settings.schemas + "/mcp", settings.name_space + "::mcp");
  return settings;
}

int run_check(const AuthorArguments& arguments) {
  const Settings settings = author_settings(arguments);
  std::vector<SourceText> texts;
  if (!read_schemas(arguments, settings, texts)) return 2;
  const StageResults all = run_stages(std::move(texts), settings);
  const std::vector<Finding> findings = all.findings.sorted_with_notes();
  if (arguments.json)
    std::cout << report_json(findings);
  else
    std::cerr << report_text(findings, in_colour(2));
  return all.findings.empty() ? 0 : 1;
}

// Returns the namespace of a family's handlers, from the first file that declares one.
std::string name_space_of(const fs::path& folder) {
  std::set<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".cc") files.insert(at->path());
  for (const fs::path& each : files) {
    std::ifstream file(each);
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("namespace ") && line.ends_with(" {") && line.size() > 12)
        return line.substr(10, line.size() - 12);
  }
  return "server";
}

int run_explain(const AuthorArguments& arguments) {
  const std::string family = fs::path(arguments.file).parent_path().filename().string();
  const Settings settings =
      author_settings(arguments, name_space_of(fs::path(arguments.root) / arguments.handlers / family));
  std::vector<SourceText> texts;
  if (!read_schemas(arguments, settings, texts)) return 2;
  const StageResults all = run_stages(std::move(texts), settings);
  if (!all.findings.empty()) {
    std::cerr << report_text(all.findings.sorted(), in_colour(2));
    return 1;
  }
  std::string path = normalized_path(arguments.file);
  std::string text = explain(all, path, arguments.handlers);
  std::error_code error;
  if (text.empty()) {
    path = normalized_path(fs::relative(arguments.file, arguments.root, error));
    text = explain(all, path, arguments.handlers);
  }
  if (text.empty()) return print_failure(arguments.file + " is not a schema file below " + settings.schemas);
  std::cout << text;
  return 0;
}

int run_diff(const AuthorArguments& arguments) {
  ComparisonSide sides[2];
  bool clean = true;
  for (int i = 0; i < 2; ++i) {
    const std::string& name = i == 0 ? arguments.old_side : arguments.new_side;
    Result<ComparisonSide> side = read_comparison_side(name);
    if (!side) return print_failure(side.error().message);
    sides[i] = std::move(*side);
    const Findings& findings = sides[i].all.findings;
    if (findings.empty()) continue;
    clean = false;
    std::cerr << "snapgen: " << name << " has faults:\n" << report_text(findings.sorted(), in_colour(2));
  }
  const Comparison found = compare(sides[0], sides[1]);
  std::cout << (arguments.json ? report_json(found.changes) : report_text(found.changes, in_colour(1)));
  if (!clean) {
    std::string files;
    for (const std::string& each : found.left_out) files += (files.empty() ? "" : ", ") + each;
    std::cerr << "snapgen: not compared, because of the faults: " << files << "\n";
    return 2;
  }
  return std::ranges::any_of(found.changes, [](const Change& each) { return each.breaking; }) ? 1 : 0;
}

// Returns whether a folder can become a family: it is empty or has a meson.build, unlike a folder of
// documents.
bool may_become_family(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "meson.build", error) || fs::is_empty(folder, error);
}

// Finds the families: folders below the schemas that have tools, or that may become a family.
void find_tools(const fs::path& root, const Settings& settings, const Sources& sources,
                NewToolRequest& wanted) {
  std::set<std::string> families, of_messages;
  for (const auto& file : sources.files) {
    if (file->family.empty()) continue;
    (file->kind == FileKind::tool ? families : of_messages).insert(file->family);
    const json::Node* name = file->document.root.find("name");
    if (file->kind == FileKind::tool && name)
      wanted.tools.push_back({.name = name->text, .family = file->family});
  }
  std::error_code error;
  for (fs::directory_iterator at(root / settings.schemas, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().generic_string();
    if (at->is_directory() && name != "meta" && !of_messages.count(name) && may_become_family(at->path()))
      families.insert(name);
  }
  wanted.families.assign(families.begin(), families.end());
}

// Returns whether the page has the table with the cost of tools/list by profile, which some projects document
// and test.
bool has_table_of_tokens(const fs::path& page) {
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| profile | tools | tokens |")) return true;
  return false;
}

// Writes all files, or none. Returns the exit code; 0 if they are written.
int write_new_files(const fs::path& root, const std::map<std::string, std::string>& texts) {
  for (const auto& [path, text] : texts)
    if (fs::exists(root / path))
      return print_failure(
          path + " already exists, and nothing was written; delete it or choose another name", 1);
  for (const auto& [path, text] : texts) {
    if (write_if_changed(root / path, text)) continue;
    std::error_code ignored;
    for (const auto& [written, unused_text] : texts) fs::remove(root / written, ignored);
    return print_failure("can't write " + (root / path).string());
  }
  for (const auto& [path, text] : texts) std::cout << "wrote " << path << "\n";
  return 0;
}

// Lets Ninja configure the build again, which finds the new files: it does so if a build file is newer.
void touch_build_file(const fs::path& root, const Settings& settings) {
  std::error_code ignored;
  fs::last_write_time(root / settings.schemas / "meson.build", fs::file_time_type::clock::now(), ignored);
}

// Returns nullopt, and reports it, if the schemas cannot be read.
std::optional<NewToolRequest> new_tool_request(const AuthorArguments& arguments, const Settings& settings) {
  std::vector<SourceText> texts;
  if (!read_schemas(arguments, settings, texts)) return std::nullopt;
  Findings unused;  // The command `check` reports errors of other files.
  const Sources sources = parse_sources(std::move(texts), settings, unused);
  NewToolRequest wanted{.name = arguments.name,
                        .family = arguments.family,
                        .schemas = settings.schemas,
                        .handlers = normalized_path(arguments.handlers),
                        .tests = normalized_path(arguments.tests),
                        .name_space = settings.name_space};
  find_tools(arguments.root, settings, sources, wanted);
  return wanted;
}

int run_new(const AuthorArguments& arguments) {
  const fs::path root = arguments.root;
  const Settings settings = author_settings(arguments);
  std::optional<NewToolRequest> wanted = new_tool_request(arguments, settings);
  if (!wanted) return 2;
  Result<NewToolFiles> files = make_new_tool(*wanted);
  if (files && arguments.namespaces.empty()) {
    wanted->name_space = name_space_of(root / wanted->handlers / files->family);
    files = make_new_tool(*wanted);
  }
  if (!files) return print_failure(files.error().message, 1);
  if (const int failed = write_new_files(root, files->texts)) return failed;
  touch_build_file(root, settings);
  std::cout << "\nNext:\n  1. describe its input and output in " << files->schema
            << ", then: snapgen check\n  2. implement it in " << files->handler << "; snapgen explain "
            << files->schema << " shows the input of the handler\n  3. describe in " << files->test
            << " the expected results\n  4. " << (fs::exists(root / "dev") ? "./dev build" : "ninja -C build")
            << "\n";
  if (has_table_of_tokens(root / "docs/tools.md"))
    std::cout
        << "  5. update the table of tokens in docs/tools.md: every profile that lists the tool costs more; "
           "./dev test prints how much\n";
  return 0;
}

int run_new_family(const AuthorArguments& arguments) {
  const fs::path root = arguments.root;
  const Settings settings = author_settings(arguments);
  std::optional<NewToolRequest> wanted = new_tool_request(arguments, settings);
  if (!wanted) return 2;
  if (arguments.namespaces.empty())
    for (const std::string& each : wanted->families)
      if (wanted->name_space == "server") wanted->name_space = name_space_of(root / wanted->handlers / each);
  Result<std::map<std::string, std::string>> files = make_new_family(*wanted);
  if (!files) return print_failure(files.error().message, 1);
  if (!fs::exists(root / settings.schemas / "meson.build"))
    files->erase(settings.schemas + "/" + wanted->family + "/meson.build");
  if (const int failed = write_new_files(root, *files)) return failed;
  std::error_code ignored;
  fs::create_directories(root / settings.schemas / wanted->family, ignored);  // An empty folder is a family.
  touch_build_file(root, settings);
  std::cout << "\nNext: snapgen new tool NAME --family " << wanted->family << "\n";
  return 0;
}

}  // namespace

void add_author_commands(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<AuthorArguments>();
  const auto common = [arguments](CLI::App* command) { add_schema_options(*command, *arguments); };
  const auto runs = [arguments, &run](CLI::App* command, int (*what)(const AuthorArguments&),
                                      const char* help) {
    command->footer(help);
    command->callback([arguments, &run, what] { run = [arguments, what] { return what(*arguments); }; });
  };

  const auto handlers = [arguments](CLI::App* command) {
    command->add_option("--handlers", arguments->handlers, "The folder of handlers.")
        ->capture_default_str()
        ->type_name("DIR");
  };

  CLI::App* check = app.add_subcommand("check", "List everything that is wrong with the schemas.");
  common(check);
  check->add_flag("--json", arguments->json, "Findings as JSON on standard output, for editors.");
  runs(check, run_check, check_help);

  CLI::App* make = app.add_subcommand("new", "Create the files of something new.");
  make->require_subcommand(1);
  make->footer(new_help);
  CLI::App* tool = make->add_subcommand("tool", "A tool: its schema, its handler and its test.");
  common(tool);
  tool->add_option("NAME", arguments->name, "The dotted name: snapshot.touch.")->required();
  tool->add_option("--family", arguments->family, "The folder of its family.")->type_name("NAME");
  handlers(tool);
  tool->add_option("--tests", arguments->tests, "The folder of tests of tools.")
      ->capture_default_str()
      ->type_name("DIR");
  runs(tool, run_new, new_help);
  CLI::App* family =
      make->add_subcommand("family", "A family of tools: a folder, and how its errors are written.");
  common(family);
  family->add_option("NAME", arguments->family, "The name of the folder.")->required();
  handlers(family);
  runs(family, run_new_family, new_help);

  CLI::App* show = app.add_subcommand("explain", "Show what is generated from a schema file.");
  common(show);
  show->add_option("FILE", arguments->file, "A schema file.")->required();
  handlers(show);
  runs(show, run_explain, explain_help);

  CLI::App* diff = app.add_subcommand("diff", "List what changed for hosts, and what breaks them.");
  diff->add_option("OLD", arguments->old_side, "A folder of schemas, a schema file, or REVISION:FOLDER.")
      ->required();
  diff->add_option("NEW", arguments->new_side, "The same, newer.")->required();
  diff->add_flag("--json", arguments->json, "Changes as JSON.");
  runs(diff, run_diff, diff_help);
}

}  // namespace snapgen::codegen
