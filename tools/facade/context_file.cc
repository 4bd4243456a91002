#include "tools/facade/context_file.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "runtime/base/text.h"
#include "runtime/json/document.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/app/error_with_hint.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/json_lines.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view mark = "# context ";
constexpr std::string_view context_folder = ".snapback/ctx/";
constexpr std::uint64_t package_bytes_max = 1 << 20;

// Returns an error about context.json, whose text is `text`. Its message begins with the location, for
// example ".snapback/ctx/context.json:3:14".
Error wrong_context_error(std::string_view text, std::size_t offset, const std::string& what,
                          std::string_view hint) {
  const json::LineColumn at = json::line_column_at(text, offset);
  return error_with_hint(ErrorCode::invalid_argument, "INVALID_ARGUMENT",
                         std::string(context_json_path) + ":" + std::to_string(at.line) + ":" +
                             std::to_string(at.column) + ": " + with_full_stop(what),
                         hint);
}

// Returns the offset of the first byte that is not UTF-8.
std::size_t invalid_utf8_at(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t length = 1;
    while (length <= 4 && !json::valid_utf8(text.substr(at, length))) ++length;
    if (length > 4) break;
    at += length;
  }
  return at;
}

// Returns the offset of the value at a JSON Pointer.
std::size_t offset_of(std::string_view text, std::string_view pointer) {
  const json::Document document = json::parse_document(text);
  const json::Node* node = &document.root;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    const json::Node* next = json::child_at_token(*node, token);
    if (!next) break;
    node = next;
    pointer.remove_prefix(token.size());
  }
  return node->offset;
}

bool is_json(std::string_view text) { return json::valid_utf8(text) && !json::first_syntax_error(text); }

Result<ProjectContext> context_of(std::string_view text) {
  constexpr std::string_view parse_hint =
      "Correct the file there, or delete it. init does not overwrite a file that cannot be parsed.";
  if (!json::valid_utf8(text))
    return wrong_context_error(text, invalid_utf8_at(text), "not valid UTF-8.", parse_hint);
  json::Reader in(text);
  ProjectContext context;
  read(in, context);
  in.end();
  if (!in.syntax_ok())
    return wrong_context_error(text, in.error_offset(), "not JSON: " + std::string(in.error_message()),
                               parse_hint);
  if (in.ok()) return context;
  const json::Violation first = in.violations().front();
  std::string what = (first.pointer.empty() ? "" : first.pointer + ": ") + with_full_stop(first.message);
  if (first.pointer.starts_with("/constraints"))
    what += " Example: " + std::string(constraints_example) + ".";
  return wrong_context_error(text, offset_of(text, first.pointer), what, "Correct the file there.");
}

bool file_exists(const std::string& path) {
  struct stat st;
  return ::lstat(path.c_str(), &st) == 0;
}

Result<std::string> read_context_text(const std::string& root) {
  Result<std::string> text = core::read_state_file(root, context_json_path);
  if (!text && text.error().code == ErrorCode::not_found)
    return Error(ErrorCode::not_found, std::string(context_json_path) + " does not exist.",
                 hint_details("Create it with op init of snapback_context."));
  return text;
}

// Detects the technologies of the project by the files in the root.
std::vector<std::string> detected_stack(const std::string& root) {
  constexpr std::array<std::pair<const char*, const char*>, 14> kinds = {{{"package.json", "Node.js"},
                                                                          {"tsconfig.json", "TypeScript"},
                                                                          {"Cargo.toml", "Rust"},
                                                                          {"go.mod", "Go"},
                                                                          {"pyproject.toml", "Python"},
                                                                          {"requirements.txt", "Python"},
                                                                          {"CMakeLists.txt", "CMake"},
                                                                          {"meson.build", "Meson"},
                                                                          {"pom.xml", "Maven"},
                                                                          {"build.gradle", "Gradle"},
                                                                          {"Gemfile", "Ruby"},
                                                                          {"composer.json", "PHP"},
                                                                          {"Makefile", "Make"},
                                                                          {"Dockerfile", "Docker"}}};
  std::vector<std::string> found;
  for (const auto& [file, name] : kinds)
    if (file_exists(root + "/" + file) && (found.empty() || found.back() != name)) found.emplace_back(name);
  return found;
}

std::string project_name(const std::string& root) {
  Result<std::string> text =
      core::read_beneath(root, "package.json", package_bytes_max, core::SymlinkPolicy::followed);
  if (text) {
    const json::Document package = json::parse_document(*text);
    const json::Node* name = package.root.find("name");
    if (package.ok() && name && name->is(json::Kind::string) && !name->text.empty() &&
        name->text.size() <= 200)
      return name->text;
  }
  return root.substr(root.rfind('/') + 1);
}

// Makes a text one line, so that it cannot imitate another line.
std::string one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

std::string rendered(const ProjectContext& context, const std::string& hash) {
  std::string out = std::string(mark) + hash + "\n";
  const auto add = [&](std::string_view label, const std::string& text) {
    if (!text.empty()) out.append(label).append(": ").append(one_line(text)).append("\n");
  };
  add("project", context.name.value_or(""));
  add("phase", context.phase.value_or(""));
  std::string stack;
  for (const std::string& each : context.stack.value_or(std::vector<std::string>()))
    stack += (stack.empty() ? "" : ", ") + each;
  add("stack", stack);
  if (context.constraints) {
    for (const auto& [domain, limits] : *context.constraints) {
      for (const auto& [name, limit] : limits) {
        std::string text = domain + "." + name;
        if (limit.min) text += " >= " + json::number_text(*limit.min);
        if (limit.max) text += " <= " + json::number_text(*limit.max);
        if (limit.unit) text += " " + *limit.unit;
        if (limit.description) text += " (" + *limit.description + ")";
        add("constraint", text);
      }
    }
  }
  for (const Blocker& each : context.blockers.value_or(std::vector<Blocker>()))
    add("blocker",
        std::string(text(each.severity)) + ": " + (each.id ? *each.id + ": " : "") + each.description);
  for (const std::string& each : context.notes.value_or(std::vector<std::string>())) add("note", each);
  return out;
}

// Saves text that people wrote in another file: git ignores context.json, and no snapshot has it. Returns the
// path relative to the root.
Result<std::string> copy_old_context(const std::string& folder, std::string_view text) {
  for (int number = 1;; ++number) {
    const std::string name = "context.old" + (number == 1 ? "" : "." + std::to_string(number)) + ".json";
    if (file_exists(folder + "/" + name)) continue;
    bool made = TRY(core::make_new_file(folder, name, text));
    if (made) return std::string(context_folder) + name;
  }
}

}  // namespace

Result<ProjectContext> read_context(const std::string& root) {
  std::string text = TRY(read_context_text(root));
  return context_of(text);
}

Result<CreatedContext> init_context(const std::string& root, bool force) {
  Result<std::string> old = core::read_state_file(root, context_json_path);
  if (!old && old.error().code != ErrorCode::not_found) return std::move(old).error();
  if (old) {
    Result<ProjectContext> context = context_of(*old);
    if (!context && (!force || !is_json(*old))) return std::move(context).error();
    if (!force) return CreatedContext{};
  }
  std::string name = project_name(root), stack;
  if (!json::valid_utf8(name)) name = "project";
  for (const std::string& each : detected_stack(root))
    stack += (stack.empty() ? "" : ", ") + json::quoted(each);
  // The file has line breaks and indentation for people, who will edit it.
  const std::string text = "{\n  \"version\": 1,\n  \"name\": " + json::quoted(name) +
                           ",\n  \"phase\": \"\",\n  \"stack\": [" + stack +
                           "],\n  \"constraints\": {},\n  \"blockers\": [],\n  \"notes\": []\n}\n";
  std::string folder = TRY(core::make_state_folder(root, "ctx"));
  CreatedContext made{.is_created = true, .backup_path = {}};
  if (old && *old != text) {
    made.backup_path = TRY(copy_old_context(folder, *old));
  }
  TRY(core::replace_file(folder, "context.json", text, core::Durability::machine_crash));
  return made;
}

Result<std::string> build_context(const std::string& root) {
  std::string source = TRY(read_context_text(root));
  ProjectContext context = TRY(context_of(source));
  std::string text = rendered(context, core::sha256_hex(source));
  if (text.size() > core::state_bytes_max)
    return Error(
        ErrorCode::invalid_argument,
        std::string(context_json_path) + ": its content makes a text of more than 1 MiB; shorten it.");
  std::string folder = TRY(core::make_state_folder(root, "ctx"));
  TRY(core::replace_file(folder, ".ctx", text, core::Durability::process_crash));
  return text;
}

std::optional<std::string> read_built_context(const std::string& root) {
  Result<std::string> text = core::read_state_file(root, context_text_path);
  if (!text || !json::valid_utf8(*text)) return std::nullopt;
  return *std::move(text);
}

std::string stale_context_sentence(const std::string& root) {
  Result<std::string> source = read_context_text(root);
  if (!source) return source.error().message;
  Result<std::string> built = core::read_state_file(root, context_text_path);
  if (!built && built.error().code != ErrorCode::not_found) return built.error().message;
  if (built && built->starts_with(std::string(mark) + core::sha256_hex(*source) + "\n")) return {};
  Result<ProjectContext> context = context_of(*source);
  if (!context) return context.error().message;
  if (!built) return "The context's .ctx does not exist. Build it.";
  return "The context's context.json has changed since .ctx was built.";
}

Result<std::vector<Blocker>> blockers_of(const core::WorkspaceServices& services,
                                         const ProjectContext& context, const std::vector<std::string>& dirty,
                                         const std::stop_token& stop) {
  constexpr std::size_t conflicts_max = 20;
  std::vector<Blocker> found = context.blockers.value_or(std::vector<Blocker>());
  core::CheckReport report = TRY(core::check_files(services, dirty, {.conflicts = true}, stop));
  std::size_t conflicts = 0;
  std::string_view last;
  const core::GitStatus status = TRY(status_of(services.workspace, stop));
  std::vector<std::string> unmerged = core::unmerged_files(services.workspace, status);
  for (const core::CheckFinding& each : report.findings) {
    // Both markers of a conflict are findings, but a file is only one blocker.
    if (last == each.path) continue;
    last = each.path;
    std::erase(unmerged, each.path);
    if (conflicts++ == conflicts_max) break;
    found.push_back({.description = "A merge left a conflict in " + core::path_in_sentence(each.path) +
                                    ", line " + std::to_string(each.line) + ".",
                     .id = "merge_conflict",
                     .severity = BlockerSeverity::high});
  }
  for (const std::string& path : unmerged) {
    if (conflicts++ == conflicts_max) break;
    found.push_back({.description = core::path_in_sentence(path) +
                                    " is unmerged in git. When it is right, run `git add` on it.",
                     .id = "merge_conflict",
                     .severity = BlockerSeverity::high});
  }
  return found;
}

}  // namespace snapgen::tools
