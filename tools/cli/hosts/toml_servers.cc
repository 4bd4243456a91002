#include "tools/cli/hosts/toml_servers.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/toml_keys.h"
#include "tools/engine/base/toml_plus_plus.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view mode_all = "default_tools_approval_mode";
constexpr std::string_view mode_one = "approval_mode";
constexpr std::string_view approve = "approve";

Error toml_fault(const std::string& sentence) { return Error(ErrorCode::invalid_argument, sentence); }

// Replaces each byte beyond ASCII by one ASCII byte, which preserves columns and the length of strings.
// toml++ 3.0 has undefined behaviour for such bytes outside of strings.
std::string ascii_of(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return out;
}

// Splits a file into its lines, with their line ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

class TomlFile {
 public:
  static Result<TomlFile> read(std::string_view text) {
    if (!json::valid_utf8(text)) return toml_fault("It is not valid UTF-8. Save it as UTF-8.");
    if (text.starts_with(byte_order_mark))
      return toml_fault("It begins with a byte order mark; save it without one.");
    if (core::long_toml_key(text))
      return toml_fault("A key has more than " + std::to_string(core::toml_key_parts_max) + " parts.");
    TomlFile file(text);
    toml::parse_result parsed = toml::parse(ascii_of(text));
    if (!parsed) {
      const toml::source_position at = parsed.error().source().begin;
      return toml_fault("It is not TOML at line " + std::to_string(at.line) + ", column " +
                        std::to_string(at.column) + ": " + std::string(parsed.error().description()) + ".");
    }
    file.root_ = std::move(parsed).table();
    return file;
  }

  // Returns the table with the servers, or null.
  const toml::table* servers(std::string_view name) const {
    const toml::node* node = root_.get(name);
    return node == nullptr ? nullptr : node->as_table();
  }
  bool has(std::string_view name) const { return root_.get(name) != nullptr; }

  // Returns the bytes of a string value. The parser sees `?` for bytes beyond ASCII, so such a string is
  // copied from the file's text if it has one line and no escapes.
  std::optional<std::string> string(const toml::node& node) const {
    const toml::value<std::string>* value = node.as_string();
    if (value == nullptr) return std::nullopt;
    const std::string raw(raw_of(node));
    if (ascii_of(raw) == raw || raw.size() < 2 || raw.find_first_of("\\\n") != std::string::npos)
      return value->get();
    return raw.substr(1, raw.size() - 2);
  }

  // Returns the lines of a table, including its header: the half-open range [first, last), counted from 0.
  std::pair<std::size_t, std::size_t> section(std::size_t header) const {
    const auto next = headers_.upper_bound(header);
    std::size_t end = next == headers_.end() ? lines_.size() : *next;
    // Comments directly above the next header belong to the next table.
    while (end > header + 1 && is_remark(lines_[end - 1])) --end;
    return {header, end};
  }

  static std::size_t line_of(const toml::node& node) { return node.source().begin.line - 1; }
  const std::vector<std::string_view>& lines() const { return lines_; }
  std::string_view line_end() const { return text_.find("\r\n") != text_.npos ? "\r\n" : "\n"; }

  // Returns the range of a value in the text; nullopt if it has several lines.
  std::optional<std::pair<std::size_t, std::size_t>> place_of(const toml::node& node) const {
    const toml::source_region& source = node.source();
    if (source.begin.line != source.end.line) return std::nullopt;
    const std::size_t line = source.begin.line - 1;
    if (line >= lines_.size()) return std::nullopt;
    const auto begin = static_cast<std::size_t>(lines_[line].data() - text_.data());
    return std::pair(begin + source.begin.column - 1, begin + source.end.column - 1);
  }

  // Records the header lines of all tables in the file.
  void note_headers() { note_headers(root_); }

 private:
  explicit TomlFile(std::string_view text) : text_(text), lines_(lines_of(text)) {}

  std::string_view raw_of(const toml::node& node) const {
    const auto location = place_of(node);
    if (!location || location->second > text_.size() || location->first > location->second) return {};
    return text_.substr(location->first, location->second - location->first);
  }

  static bool is_remark(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos || line[begin] == '#';
  }

  void note_header(const toml::node& node) {
    const std::size_t line = line_of(node);
    if (line >= lines_.size()) return;
    const std::size_t begin = lines_[line].find_first_not_of(" \t");
    if (begin != std::string_view::npos && lines_[line][begin] == '[') headers_.insert(line);
  }

  void note_headers(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (const toml::table* inner = node.as_table()) {
        if (inner->is_inline()) continue;
        note_header(*inner);
        note_headers(*inner);
      }
      const toml::array* array = node.as_array();
      if (array == nullptr) continue;
      for (const toml::node& each : *array) {
        const toml::table* element = each.as_table();
        if (element == nullptr || element->is_inline()) continue;
        note_header(*element);
        note_headers(*element);
      }
    }
  }

  std::string_view text_;
  std::vector<std::string_view> lines_;
  toml::table root_;
  std::set<std::size_t> headers_;
};

bool is_bare_key(std::string_view key) {
  return !key.empty() &&
         std::ranges::all_of(key, [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; });
}

std::string as_key(std::string_view key) { return is_bare_key(key) ? std::string(key) : json::quoted(key); }

Result<HostServer> toml_server(const TomlFile& file, const std::string& name, const toml::table& table) {
  HostServer server{.name = name};
  const std::string where = "The entry " + json::quoted(name);
  if (const toml::node* command = table.get("command")) {
    std::optional<std::string> text = file.string(*command);
    if (!text) return toml_fault(where + " has a command that is not a string.");
    server.command = *std::move(text);
  }
  if (const toml::node* args = table.get("args")) {
    const toml::array* words = args->as_array();
    if (words == nullptr) return toml_fault(where + " has args that are not an array.");
    for (const toml::node& word : *words) {
      std::optional<std::string> text = file.string(word);
      if (!text) return toml_fault(where + " has an argument that is not a string.");
      server.args.push_back(*std::move(text));
    }
  }
  if (const toml::table* environment = table["env"].as_table())
    for (const auto& [key, value] : *environment)
      if (std::optional<std::string> text = file.string(value))
        server.environment.push_back(std::string(key.str()) + "=" + *text);
  server.is_disabled = !table["enabled"].value_or(true);
  if (table[mode_all].value_or(std::string_view()) == approve) server.approved_tools.emplace_back("*");
  if (const toml::table* tools = table["tools"].as_table())
    for (const auto& [key, value] : *tools)
      if (const toml::table* tool = value.as_table();
          tool != nullptr && (*tool)[mode_one].value_or(std::string_view()) == approve)
        server.approved_tools.emplace_back(key.str());
  return server;
}

std::string approval_of(const std::string& key, const std::string& tool, std::string_view line_end) {
  std::string out = "[" + key + ".tools." + as_key(tool) + "]";
  out.append(line_end).append(mode_one).append(" = ").append(json::quoted(approve)).append(line_end);
  return out;
}

// Appends blocks, each after an empty line.
void append_blocks(std::string& out, const std::vector<std::string>& blocks, std::string_view line_end) {
  if (blocks.empty()) return;
  if (!out.empty() && !out.ends_with('\n')) out.append(line_end);
  for (const std::string& each : blocks) {
    if (!out.empty()) out.append(line_end);
    out.append(each);
  }
}

Error only_by_hand(const std::string& name) {
  return toml_fault("The entry " + json::quoted(name) + " is not a separate table.");
}

// Replaces the values of `command` and `args` in a table. Each old value must be on one line.
Result<std::string> with_values(std::string text, const TomlFile& file, const toml::table& table,
                                const std::string& name, const OurEntry& entry) {
  struct Edit {
    std::size_t begin, end;
    std::string value;
  };
  std::vector<Edit> edits;
  std::string missing;
  for (const auto& [key, value] : {std::pair(std::string_view("command"), json::quoted(entry.command)),
                                   std::pair(std::string_view("args"), list_on_one_line(entry.args))}) {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      missing.append(key).append(" = ").append(value).append(file.line_end());
      continue;
    }
    const auto location = file.place_of(*node);
    if (!location) return toml_fault("The entry " + json::quoted(name) + " has a value on several lines.");
    edits.push_back({.begin = location->first, .end = location->second, .value = value});
  }
  if (!missing.empty()) {
    const std::string_view header = file.lines()[TomlFile::line_of(table)];
    const auto behind = static_cast<std::size_t>(header.data() - file.lines().front().data()) + header.size();
    if (!header.ends_with('\n')) missing.insert(0, file.line_end());
    edits.push_back({.begin = behind, .end = behind, .value = missing});
  }
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  for (const Edit& each : edits) text.replace(each.begin, each.end - each.begin, each.value);
  return text;
}

// Returns the line after a server's tables, counted from 0.
std::size_t end_of_server(const TomlFile& file, const toml::table& table) {
  std::size_t end = file.section(TomlFile::line_of(table)).second;
  for (const auto& [key, node] : table) {
    const toml::table* inner = node.as_table();
    if (inner != nullptr && !inner->is_inline()) end = std::max(end, end_of_server(file, *inner));
  }
  return end;
}

void add_sections(const TomlFile& file, const toml::table& table, std::set<std::size_t>& lines) {
  const auto [begin, end] = file.section(TomlFile::line_of(table));
  for (std::size_t line = begin; line < end; ++line) lines.insert(line);
  for (const auto& [key, node] : table) {
    const toml::table* inner = node.as_table();
    if (inner != nullptr && !inner->is_inline()) add_sections(file, *inner, lines);
  }
}

// Returns whether the table has a header `[mcp_servers.NAME]`, and is neither inline nor made of dotted keys.
bool has_own_header(const TomlFile& file, const toml::table& table) {
  if (table.is_inline()) return false;
  const std::size_t line = TomlFile::line_of(table);
  if (line >= file.lines().size()) return false;
  const std::string_view text = file.lines()[line];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin != std::string_view::npos && text[begin] == '[';
}

}  // namespace

std::string list_on_one_line(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : ", ") + json::quoted(each);
  return "[" + out + "]";
}

Result<std::vector<HostServer>> toml_servers(std::string_view text, std::string_view servers) {
  TomlFile file = TRY(TomlFile::read(text));
  std::vector<HostServer> found;
  if (!file.has(servers)) return found;
  const toml::table* tables = file.servers(servers);
  if (tables == nullptr) return toml_fault(json::quoted(servers) + " is not a table.");
  for (const auto& [key, node] : *tables) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return toml_fault("The entry " + json::quoted(key.str()) + " is not a table.");
    HostServer server = TRY(toml_server(file, std::string(key.str()), *table));
    found.push_back(std::move(server));
  }
  return found;
}

Result<std::string> with_toml_server(std::string_view text, std::string_view servers, const std::string& name,
                                     const OurEntry& entry, const std::vector<std::string>& approved_tools) {
  TRY(toml_servers(text, servers));
  TomlFile file = TRY(TomlFile::read(text));
  file.note_headers();
  const std::string key = std::string(servers) + "." + as_key(name);
  const std::string_view line_end = file.line_end();
  const toml::table* tables = file.servers(servers);
  const toml::node* node = tables == nullptr ? nullptr : tables->get(name);
  if (node == nullptr) {
    if (tables != nullptr && tables->is_inline()) return only_by_hand(name);
    std::string block = "[" + key + "]";
    block.append(line_end).append("command = ").append(json::quoted(entry.command)).append(line_end);
    block.append("args = ").append(list_on_one_line(entry.args)).append(line_end);
    std::vector<std::string> blocks = {std::move(block)};
    for (const std::string& tool : approved_tools) blocks.push_back(approval_of(key, tool, line_end));
    std::string out(text);
    append_blocks(out, blocks, line_end);
    return out;
  }
  const toml::table* table = node->as_table();
  if (table == nullptr || !has_own_header(file, *table)) return only_by_hand(name);
  HostServer server = TRY(toml_server(file, name, *table));
  std::vector<std::string> blocks;
  const toml::table* tools = (*table)["tools"].as_table();
  if (tools == nullptr || !tools->is_inline())
    for (const std::string& tool : approved_tools)
      if (!(*table)[mode_all].is_string() && (tools == nullptr || tools->get(tool) == nullptr))
        blocks.push_back(approval_of(key, tool, line_end));
  // New tables of tools follow the tables of the server.
  const std::size_t end = end_of_server(file, *table);
  std::size_t offset = 0;
  for (std::size_t line = 0; line < end; ++line) offset += file.lines()[line].size();
  std::string head(text.substr(0, offset));
  if (server.command != entry.command || server.args != entry.args) {
    head = TRY(with_values(std::move(head), file, *table, name, entry));
  }
  append_blocks(head, blocks, line_end);
  head.append(text.substr(offset));
  // Reads the result again, to reject forms of the file that this code does not handle.
  Result<std::vector<HostServer>> read_back = toml_servers(head, servers);
  const bool is_right =
      read_back && std::any_of(read_back->begin(), read_back->end(), [&](const HostServer& each) {
        return each.name == name && each.command == entry.command && each.args == entry.args;
      });
  if (!is_right) return only_by_hand(name);
  return head;
}

Result<std::string> without_toml_server(std::string_view text, std::string_view servers,
                                        const std::string& name) {
  TomlFile file = TRY(TomlFile::read(text));
  file.note_headers();
  const toml::table* tables = file.servers(servers);
  const toml::node* node = tables == nullptr ? nullptr : tables->get(name);
  if (node == nullptr) return std::string(text);
  const toml::table* table = node->as_table();
  if (table == nullptr || !has_own_header(file, *table)) return only_by_hand(name);
  std::set<std::size_t> removed;
  add_sections(file, *table, removed);
  std::string out;
  for (std::size_t line = 0; line < file.lines().size(); ++line) {
    if (!removed.contains(line)) out.append(file.lines()[line]);
    // Removes an empty line after the table with it, so that one remains between the others.
    const bool ends_here = removed.contains(line) && !removed.contains(line + 1);
    const bool is_between = ends_here && line + 1 < file.lines().size() &&
                            file.lines()[line + 1].find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (is_between) ++line;
  }
  return out;
}

}  // namespace snapgen::tools
