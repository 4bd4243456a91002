// The command line of the schema compiler, snapgen.
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "codegen/author/author.h"
#include "codegen/author/command.h"
#include "codegen/author/files.h"
#include "codegen/emit/compile.h"
#include "runtime/cli/completion.h"
#include "runtime/cli/pages.h"
#include "runtime/cli/sentence.h"

namespace {

namespace cli = snapgen::cli;
namespace fs = std::filesystem;
using snapgen::codegen::CompiledFiles;
using snapgen::codegen::normalized_path;
using snapgen::codegen::print_failure;
using snapgen::codegen::read_documents;
using snapgen::codegen::read_file;
using snapgen::codegen::read_pages;
using snapgen::codegen::Settings;
using snapgen::codegen::SourceText;
using snapgen::codegen::write_if_changed;

constexpr const char* version = SNAPGEN_VERSION;

constexpr const char* examples = R"(
A schema file is an MCP Tool object plus "x-snapgen" ("$schema": "../meta/tool.json"), or a JSON Schema of a
message ("$schema": "../meta/message.json"). Each becomes a header and a source beside its path below --out:
  schemas/substrate/snapshot_create.json -> OUT/substrate/snapshot_create.h and .cc
and all tools together OUT/tools.h, OUT/tools.cc, OUT/tool_names.h, OUT/listing.h and OUT/listing.cc. Headers are
included by their schema's path from --root: #include "schemas/substrate/snapshot_create.h". Files that would not change are not touched.

Examples:
  snapgen new tool snapshot.touch
  snapgen check
  snapgen explain schemas/substrate/snapshot_touch.json
  snapgen diff HEAD:schemas schemas
  snapgen generate --schemas schemas --out build/schemas --namespace my::server
  snapgen generate --schemas schemas --out build/schemas --namespace my::server --only common --only tools
  snapgen generate --root .. --schemas schemas --out schemas --namespace a --namespace schemas/mcp=b
  snapgen typescript --schemas schemas --out build/typescript --namespace my::server
  snapgen pages --schemas schemas --manual docs --out build/docs --namespace my::server --title mine
  snapgen validators vendor/openapi.json --out build --namespace my::openapi --include vendor/meta \
      --base https://spec.openapis.org/oas/3.1/=vendor/

`validators` takes any JSON Schema of draft 2020-12 or 7: OUT/vendor/openapi.h and .cc check
whether a value matches it.
`structs` takes the same: OUT/vendor/openapi_structs.h and .cc have types for it and its definitions, which are read and
written as those of schema files are.

Exit codes of generate: 0 done, 1 the schemas have faults (one line each: file:line:column: /pointer: what is wrong),
2 the command line is wrong or a file cannot be read or written. Those of the other commands are in their --help.
)";

struct MainArguments : snapgen::codegen::SchemaArguments {
  std::vector<std::string> only;
  bool brief = false;
  std::string out;
  std::string manual;
  std::string title = "Reference";
};

// Returns the family of a generated file from its path below the schemas folder, or `tools` for files about
// all tools.
std::string part_of(const std::string& below) {
  std::size_t slash = below.find('/');
  return slash == std::string::npos ? "tools" : below.substr(0, slash);
}

// Reads the settings and schema files of a command. Returns 0, or the exit code.
int read_all(const MainArguments& arguments, Settings& settings, std::vector<SourceText>& texts) {
  settings = parse_settings(arguments);
  if (settings.name_space.empty()) return print_failure("--namespace NAME is missing");
  return read_schemas(arguments, settings, texts) ? 0 : 2;
}

int print_result(const CompiledFiles& compiled) {
  for (const std::string& line : compiled.findings) std::cerr << line << "\n";
  return compiled.findings.empty() ? 0 : 1;
}

int run_generate(const MainArguments& arguments) {
  Settings settings;
  std::vector<SourceText> texts;
  if (int code = read_all(arguments, settings, texts)) return code;
  settings.brief_listing = arguments.brief;
  CompiledFiles compiled = snapgen::codegen::compile(std::move(texts), settings);
  if (int code = print_result(compiled)) return code;
  std::set<std::string> only(arguments.only.begin(), arguments.only.end());
  std::set<std::string> unused = only;
  for (const auto& [path, text] : compiled.files) {
    std::string below = path.substr(settings.schemas.size() + 1);
    unused.erase(part_of(below));
    if (!only.empty() && !only.count(part_of(below))) continue;
    if (!write_if_changed(fs::path(arguments.out) / below, text))
      return print_failure("can't write " + (fs::path(arguments.out) / below).string());
  }
  for (const std::string& each : unused)
    return print_failure("--only " + each + ": there is no such folder of schemas");
  return 0;
}

// Writes all files below --out and prints their names on standard output.
int write_all(const CompiledFiles& compiled, const std::string& out) {
  if (int code = print_result(compiled)) return code;
  for (const auto& [path, text] : compiled.files) {
    if (!write_if_changed(fs::path(out) / path, text))
      return print_failure("can't write " + (fs::path(out) / path).string());
    std::cout << path << "\n";
  }
  return 0;
}

int run_typescript(const MainArguments& arguments) {
  Settings settings;
  std::vector<SourceText> texts;
  if (int code = read_all(arguments, settings, texts)) return code;
  return write_all(snapgen::codegen::compile_typescript(std::move(texts), settings), arguments.out);
}

int run_pages(const MainArguments& arguments) {
  Settings settings;
  std::vector<SourceText> texts;
  std::vector<SourceText> manual;
  if (int code = read_all(arguments, settings, texts)) return code;
  if (!arguments.manual.empty() && !read_pages(arguments.root, normalized_path(arguments.manual), manual))
    return print_failure("can't read the folder " +
                         normalized_path(fs::path(arguments.root) / arguments.manual));
  return write_all(snapgen::codegen::compile_pages(std::move(texts), manual, settings, arguments.title),
                   arguments.out);
}

struct ValidatorArguments {
  std::string root = ".";
  std::vector<std::string> files;
  std::vector<std::string> includes;
  std::vector<std::string> bases;
  std::string name_space;
  std::string out;
  bool formats = false;
};

int run_validators(const ValidatorArguments& arguments, bool structs) {
  snapgen::codegen::ValidatorSettings settings{.name_space = arguments.name_space,
                                               .formats_asserted = arguments.formats};
  for (const std::string& each : arguments.bases) {
    const std::size_t equals = each.rfind('=');
    if (equals == std::string::npos) return print_failure("--base " + each + " is not URI=PATH");
    settings.bases.emplace_back(each.substr(0, equals), each.substr(equals + 1));
  }
  std::vector<SourceText> texts;
  for (const std::string& each : arguments.files)
    if (!read_file(arguments.root, normalized_path(each), true, texts))
      return print_failure("can't read the file " + each);
  for (const std::string& each : arguments.includes)
    if (!read_documents(arguments.root, normalized_path(each), texts))
      return print_failure("can't read the folder " + each);
  return write_all(structs ? snapgen::codegen::compile_structs(std::move(texts), settings)
                           : snapgen::codegen::compile_validators(std::move(texts), settings),
                   arguments.out);
}

// Adds the commands that write completions and manual pages.
void add_pages_commands(CLI::App& app, std::function<int()>& run) {
  CLI::App* completion = app.add_subcommand("completion", std::string(cli::completion_description));
  auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "whose script")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback([&app, &run, shell] {
    run = [&app, shell] {
      std::cout << cli::completion_script(cli::describe(app), *cli::shell_named(*shell), {});
      return 0;
    };
  });
  CLI::App* manual = app.add_subcommand("manual", std::string(cli::manual_description));
  auto folder = std::make_shared<std::string>();
  manual->add_option("DIR", *folder, "~/.local/share, say")->required();
  manual->callback([&app, &run, folder] {
    run = [&app, folder] {
      const cli::ManualMetadata text{
          .product = std::string("snapgen ") + version, .date = SNAPGEN_DATE, .see_also = {"snap"}};
      const snapgen::Result<snapgen::Unit> written =
          cli::write_manual_and_completions(*folder, {{.command = cli::describe(app), .text = text}});
      return written ? 0 : print_failure(written.error().message);
    };
  });
}

void add_out_option(CLI::App& command, std::string& folder) {
  command.add_option("--out", folder, "The folder to write to.")->required()->type_name("DIR");
}

// Adds the commands for foreign schemas. Returns them: validators, structs.
std::pair<CLI::App*, CLI::App*> add_validator_commands(CLI::App& app, ValidatorArguments& arguments) {
  CLI::App* validators = app.add_subcommand(
      "validators", "Generate code that validates values against any JSON Schema (2020-12 or 7).");
  CLI::App* structs = app.add_subcommand(
      "structs", "Generate structs with readers and writers from any JSON Schema (2020-12 or 7).");
  for (CLI::App* command : {validators, structs}) {
    command->add_option("--root", arguments.root, "The folder that other paths are relative to.")
        ->capture_default_str()
        ->type_name("DIR");
    command->add_option("files", arguments.files, "Schema files.")->required()->type_name("FILE");
    command
        ->add_option("--include", arguments.includes, "A folder of documents that the schema files refer to.")
        ->type_name("DIR");
    command
        ->add_option("--base", arguments.bases,
                     "The location of documents whose URI has this prefix; can be given several times.")
        ->type_name("URI=PATH");
    command->add_option("--namespace", arguments.name_space, "Namespace of the code.")
        ->required()
        ->type_name("NAME");
    add_out_option(*command, arguments.out);
    command->footer(examples);
  }
  validators->add_flag("--formats", arguments.formats, "Assert `format`, which is an annotation otherwise.");
  return {validators, structs};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Generate C++ structs, readers, writers and MCP tools from JSON Schema files.", "snapgen"};
  app.footer(examples);
  app.set_help_flag("-h,--help", "Print this help.");
  app.set_version_flag("--version", std::string("snapgen ") + version, "Print the version.");
  app.require_subcommand(1);
  MainArguments arguments;
  const auto common = [&](CLI::App* command) {
    add_schema_options(*command, arguments);
    command->footer(examples);
  };
  std::function<int()> author;
  snapgen::codegen::add_author_commands(app, author);
  CLI::App* generate = app.add_subcommand("generate", "Check, then write the code.");
  common(generate);
  add_out_option(*generate, arguments.out);
  generate
      ->add_option("--only", arguments.only,
                   "One folder of schemas, or `tools` for the files of all tools together; may "
                   "be repeated.")
      ->type_name("NAME");
  generate->add_flag("--brief", arguments.brief,
                     "Shorten the schemas in tools/list to what a model needs; arguments are still validated "
                     "against the full schemas.");
  CLI::App* typescript = app.add_subcommand(
      "typescript",
      "Check, then write snapgen.d.ts, and for each folder of schemas a module and its JSON Schema.");
  common(typescript);
  add_out_option(*typescript, arguments.out);
  CLI::App* pages = app.add_subcommand("pages", "Check, then write a static site of all tools and messages.");
  common(pages);
  add_out_option(*pages, arguments.out);
  pages
      ->add_option("--manual", arguments.manual,
                   "A folder of Markdown: index.md, FAMILY.md with the text above a family's tools, and "
                   "separate pages.")
      ->type_name("DIR");
  pages->add_option("--title", arguments.title, "The title of the site.")
      ->capture_default_str()
      ->type_name("TITLE");
  ValidatorArguments validator;
  const auto [validators, structs] = add_validator_commands(app, validator);
  add_pages_commands(app, author);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0 && !cli::has_unknown_command(app)) return app.exit(error);
    const auto as_it_is = [](std::string_view text) { return std::string(text); };
    std::cerr << cli::usage_error_sentence(app, error, as_it_is) << "\n";
    return 2;
  }
  if (author) return author();
  if (pages->parsed()) return run_pages(arguments);
  if (typescript->parsed()) return run_typescript(arguments);
  if (validators->parsed() || structs->parsed()) return run_validators(validator, structs->parsed());
  return run_generate(arguments);
}
