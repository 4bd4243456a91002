#include "codegen/front/load.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/json/pointer.h"
#include "runtime/json/reader.h"

namespace snapgen::codegen {
namespace {

constexpr std::string_view tool_schema = "meta/tool.json", message_schema = "meta/message.json";

// Returns the kind that `$schema` names, unless the file can only be of the other one. The wrong kind would
// make every member of the file a fault.
FileKind meant_kind(const json::Node& root, const json::Node& schema, bool is_tool,
                    const SourceLocation& location, Findings& findings) {
  const std::string_view named = is_tool ? tool_schema : message_schema;
  const std::string folder = schema.text.substr(0, schema.text.size() - named.size());
  if (!is_tool && root.find("inputSchema")) {
    findings.add(location, "the file has \"inputSchema\", so it is a tool" +
                               suggestion_of(folder + std::string(tool_schema)));
    return FileKind::tool;
  }
  if (is_tool && !root.find("inputSchema") && (root.find("type") || root.find("properties"))) {
    findings.add(location, "the file is a schema, and has no \"inputSchema\", so it is a message" +
                               suggestion_of(folder + std::string(message_schema)));
    return FileKind::message;
  }
  return is_tool ? FileKind::tool : FileKind::message;
}

// Returns the kind of a schema file. It is determined by `$schema`, which editors also use.
FileKind kind_of(const File& file, Findings& findings) {
  const json::Node& root = file.document.root;
  SourceLocation location{.file = &file, .offset = root.offset};
  const json::Node* schema = root.find("$schema");
  if (!schema) {
    findings.add(
        location,
        "\"$schema\" is missing; a tool says \"../meta/tool.json\", a message \"../meta/message.json\"");
    return root.find("inputSchema") ? FileKind::tool : FileKind::message;
  }
  const SourceLocation at = inner_location(location, "$schema", schema->offset);
  if (schema->is(json::Kind::string)) {
    const bool is_tool = schema->text.ends_with(tool_schema);
    if (is_tool || schema->text.ends_with(message_schema))
      return meant_kind(root, *schema, is_tool, at, findings);
  }
  findings.add(at,
               "\"$schema\" is \"../meta/tool.json\" for a tool or \"../meta/message.json\" for a message");
  return root.find("inputSchema") ? FileKind::tool : FileKind::message;
}

std::string name_space_of(const std::string& path, const Settings& settings) {
  std::string found = settings.name_space;
  std::size_t longest = 0;
  for (const auto& [folder, name] : settings.namespaces) {
    if (path.starts_with(folder + "/") && folder.size() >= longest) {
      longest = folder.size();
      found = name;
    }
  }
  return found;
}

// Returns where the comma is that is followed by the end of a list or an object at `offset`.
std::optional<std::size_t> comma_before_end(std::string_view text, std::size_t offset) {
  if (offset == 0 || offset >= text.size() || (text[offset] != ']' && text[offset] != '}'))
    return std::nullopt;
  const std::size_t before = text.find_last_not_of(" \t\r\n", offset - 1);
  return before != std::string_view::npos && text[before] == ',' ? std::optional(before) : std::nullopt;
}

// Returns the first such comma that is a problem of the document.
std::optional<std::size_t> comma_too_many(std::string_view text, const json::Document& document) {
  for (const json::Problem& problem : document.problems)
    if (const auto comma = comma_before_end(text, problem.offset)) return comma;
  return std::nullopt;
}

// Returns what is wrong if the text, which is no JSON at its beginning, has a common slip there.
std::optional<std::string> slip_at(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> slips[] = {
      {"\xEF\xBB\xBF", "the file begins with a byte order mark; save it as UTF-8 without one"},
      {"\n", "a string does not end in its line; write \" at its end, or \\n for a line break in it"},
      {"\r", "a string does not end in its line; write \" at its end, or \\n for a line break in it"},
      {"\t", "a tab in a string; write \\t"},
      {"//", "a comment; delete it, or write it as a \"$comment\" of a schema"},
      {"/*", "a comment; delete it, or write it as a \"$comment\" of a schema"},
      {"'", "a string begins with '; write \" before and after it"},
      {"True", "\"True\" is not a value; write true"},
      {"False", "\"False\" is not a value; write false"},
      {"None", "\"None\" is not a value; write null"}};
  for (const auto& [beginning, sentence] : slips)
    if (text.starts_with(beginning)) return "not JSON: " + std::string(sentence);
  return std::nullopt;
}

}  // namespace

const File* Sources::find(std::string_view path) const {
  auto found = std::lower_bound(
      files.begin(), files.end(), path,
      [](const std::unique_ptr<File>& file, std::string_view wanted) { return file->path < wanted; });
  return found != files.end() && (*found)->path == path ? found->get() : nullptr;
}

SourceLocation location_at(const File& file, std::size_t offset) {
  return {.file = &file, .offset = offset, .pointer = json::pointer_at(file.text, offset)};
}

json::Document parse_schema(std::string_view text) {
  json::Document document = json::parse_document(text);
  std::erase_if(document.problems, [&](const json::Problem& problem) {
    constexpr std::string_view key = "\"multipleOf\"";
    const auto without_blanks_behind = [](std::string_view part) {
      return part.substr(0, part.find_last_not_of(" \t\r\n") + 1);
    };
    std::string_view before = without_blanks_behind(text.substr(0, problem.offset));
    if (problem.message != json::number_out_of_range || !before.ends_with(':')) return false;
    before.remove_suffix(1);
    return without_blanks_behind(before).ends_with(key);
  });
  return document;
}

bool parse(File& file, Findings& findings) {
  if (!json::valid_utf8(file.text)) {
    findings.add(file.path, "the file is not valid UTF-8");
    return false;
  }
  file.document = parse_schema(file.text);
  std::string text = file.text;
  constexpr int commas_max = 20;  // The text is parsed again for each.
  for (int i = 0; i < commas_max; ++i) {
    const std::optional<std::size_t> comma = comma_too_many(text, file.document);
    if (!comma) break;
    findings.add(SourceLocation{.file = &file, .offset = *comma}, "not JSON: a comma too many");
    text[*comma] = ' ';  // All other faults of the file are found at their places.
    file.document = parse_schema(text);
  }
  for (const json::Problem& problem : file.document.problems)
    findings.add(SourceLocation{.file = &file, .offset = problem.offset},
                 slip_at(std::string_view(text).substr(problem.offset)).value_or(problem.message));
  if (!file.document.ok()) return false;
  if (file.document.root.is(json::Kind::object)) return true;
  findings.add(SourceLocation{.file = &file, .offset = file.document.root.offset},
               "the file is not a JSON object");
  return false;
}

Sources parse_sources(std::vector<SourceText> texts, const Settings& settings, Findings& findings) {
  std::ranges::sort(texts, [](const SourceText& a, const SourceText& b) { return a.path < b.path; });
  Sources sources;
  for (SourceText& source : texts) {
    if (!settings.foreign && !source.path.ends_with(".json")) {
      findings.add(source.path, "the name of a schema file ends with .json, in lower case");
      continue;
    }
    auto file = std::make_unique<File>();
    std::size_t slash = source.path.rfind('/');
    std::string folder = slash == std::string::npos ? std::string() : source.path.substr(0, slash);
    std::size_t family = folder.rfind('/');
    file->path = source.path;
    file->stem = source.path.substr(slash == std::string::npos ? 0 : slash + 1);
    if (file->stem.ends_with(".json")) file->stem.resize(file->stem.size() - 5);
    file->header = (folder.empty() ? std::string() : folder + "/") + file->stem + ".h";
    file->family = folder == settings.schemas ? std::string()
                                              : folder.substr(family == std::string::npos ? 0 : family + 1);
    file->name_space = name_space_of(source.path, settings);
    file->emitted = source.emitted;
    file->text = std::move(source.text);
    file->foreign = settings.foreign;
    if (!parse(*file, findings)) {
      // References to a broken file still find a target, so that only the file's own error is reported.
      file->broken = true;
      file->document.root = json::Node{.kind = json::Kind::object};
    } else if (!settings.foreign) {
      file->kind = kind_of(*file, findings);
    }
    sources.files.push_back(std::move(file));
  }
  return sources;
}

}  // namespace snapgen::codegen
