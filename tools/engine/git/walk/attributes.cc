#include "tools/engine/git/walk/attributes.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/git/repository/delegate.h"

namespace snapgen::core::git {
namespace {

constexpr std::string_view blank = " \t\r\n";
constexpr std::size_t line_bytes_max = 2048;  // git's own limit

std::string_view take_word(std::string_view& rest) {
  const std::string_view word = rest.substr(0, rest.find_first_of(blank));
  rest.remove_prefix(word.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size()));
  return word;
}

bool is_name(std::string_view name) {
  if (name.empty() || name.front() == '-') return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

// Parses "name", "-name", "!name" or "name=value". Returns false if the name is invalid.
bool parse_change(std::string_view word, AttributeAssignment& out) {
  using Kind = AttributeValue::Kind;
  const std::size_t equals = word.find('=');
  std::string_view name = word.substr(0, equals);
  const bool marked = name.starts_with('-') || name.starts_with('!');
  if (marked) {
    out.value.kind = name.front() == '-' ? Kind::unset : Kind::unspecified;
    name.remove_prefix(1);
  } else if (equals == std::string_view::npos) {
    out.value.kind = Kind::set;
  } else {
    out.value.kind = Kind::text;
    out.value.text = std::string(word.substr(equals + 1));
  }
  out.name = std::string(name);
  return is_name(name);
}

// Returns how a text attribute converts line ends, or nullopt if it is unspecified.
std::optional<ContentConversion::LineEnds> line_ends_of(const AttributeValue& value) {
  using Kind = AttributeValue::Kind;
  if (value.kind == Kind::set || value.is_text("input")) return ContentConversion::LineEnds::to_lf;
  if (value.kind == Kind::unset) return ContentConversion::LineEnds::unchanged;
  if (value.is_text("auto")) return ContentConversion::LineEnds::detect;
  return std::nullopt;
}

// Returns true if git would read this file of attributes, and we do not.
bool is_too_large_for_us_only(const FileBytes& file) {
  return file.error == EFBIG && file.stat.size < ignored_attributes_bytes;
}

// Returns true if the filter `name` would change a file or reject it.
bool filter_acts(const LoadedConfig& loaded, const std::string& name) {
  if (loaded.disabled_filters.contains(name)) return false;
  const Config& config = loaded.config;
  const auto given = [&](std::string_view variable) {
    const ConfigEntry* const entry = config.last_entry("filter." + name + "." + std::string(variable));
    return entry != nullptr && (!entry->value || !entry->value->empty());
  };
  return given("process") || given("clean") || given("required");
}

}  // namespace

AttributeRules::AttributeRules(std::string bytes, bool macros_allowed) : bytes_(std::move(bytes)) {
  if (bytes_.size() >= std::size_t{ignored_attributes_bytes}) return;
  std::string_view rest = bytes_, line;
  take_prefix(rest, byte_order_mark);
  while (next_line(rest, line)) add(line.substr(0, line.find('\0')), macros_allowed);
}

void AttributeRules::add(std::string_view line, bool macros_allowed) {
  if (line.size() >= line_bytes_max) return;
  line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
  if (line.empty() || line.front() == '#') return;
  has_quoted_pattern_ |= line.front() == '"';
  constexpr std::string_view macro_mark = "[attr]";
  std::string_view rest = line;
  std::string_view name = take_word(rest);
  const bool is_macro = name.size() > macro_mark.size() && name.starts_with(macro_mark);
  if (is_macro) {
    name.remove_prefix(macro_mark.size());
    if (!macros_allowed || !is_name(name)) return;
  }
  std::vector<AttributeAssignment> changes;
  while (!rest.empty()) {
    // An invalid word invalidates the line.
    if (!parse_change(take_word(rest), changes.emplace_back())) return;
  }
  if (is_macro) {
    macros_[std::string(name)] = std::move(changes);
    return;
  }
  const PathPattern pattern(name);
  // A negative pattern, or one for folders, cannot match a file.
  if (pattern.negative() || pattern.folders_only()) return;
  rules_.push_back({pattern, std::move(changes)});
}

const std::vector<AttributeAssignment>* AttributeRules::macro(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

std::vector<std::string> attribute_files_outside(const Repository::State& state, const Settings& settings) {
  const std::string info = state.layout.is_git ? state.layout.common_dir + "/info/attributes" : std::string();
  std::string system = system_config_path(find_program("git", state.environment.path_variable));
  system.replace(system.rfind('/') + 1, std::string::npos, "gitattributes");
  return {info, settings.attributes_file, system};
}

Result<std::shared_ptr<const AttributeRules>> Attributes::outside_rules(const std::string& path) {
  std::shared_ptr<const AttributeRules> none;
  if (path.empty()) return none;
  FileBytes file = read_file(path, limits::rules);
  if (is_too_large_for_us_only(file)) return oversized_file_error(path, limits::rules);
  if (file.error != 0) return none;
  return std::shared_ptr<const AttributeRules>(std::make_shared<AttributeRules>(std::move(file.bytes), true));
}

Result<std::shared_ptr<const AttributeRules>> Attributes::folder_rules(const std::string& folder,
                                                                       std::string& fallback_reason) {
  if (const auto known = folders_.find(folder); known != folders_.end()) return known->second;
  const std::string path = folder + ".gitattributes";
  std::shared_ptr<const AttributeRules> rules;
  FileBytes file = read_file_at(root_fd_, path.c_str(), limits::rules);
  if (is_too_large_for_us_only(file))
    return oversized_file_error(joined_unless_absolute(repository_state_.layout.root, path), limits::rules);
  if (file.error == 0 || file.error == EFBIG) {
    rules = std::make_shared<AttributeRules>(std::move(file.bytes), folder.empty());
  } else if (const IndexEntry* entry = index_.find(path)) {
    // The file is not checked out. Git then reads it from the index, with exceptions for sparse checkouts.
    if (entry->stage != 0 || config_.settings.sparse_checkout) {
      fallback_reason = "attributes are in the index alone";
    } else {
      std::optional<ObjectDatabase::Object> blob =
          TRY(read_object(repository_state_, Oid::from_bytes(entry->oid)));
      if (blob) rules = std::make_shared<AttributeRules>(std::move(blob->content), folder.empty());
    }
  }
  folders_[folder] = rules;
  return rules;
}

Result<std::shared_ptr<const Attributes::Stack>> Attributes::stack_of_folder(std::string_view folder) {
  if (const auto known = stacks_.find(folder); known != stacks_.end()) return known->second;
  if (!outside_read_) {
    const std::vector<std::string> files = attribute_files_outside(repository_state_, config_.settings);
    std::array<std::shared_ptr<const AttributeRules>, 3> rules;
    for (std::size_t i = 0; i < rules.size(); ++i) rules[i] = TRY(outside_rules(files[i]));
    info_ = rules[0];
    user_and_system_rules_ = {{rules[1], 0}, {rules[2], 0}};
    outside_read_ = true;
  }
  auto stack = std::make_shared<Stack>();
  stack->levels.push_back({info_, 0});
  for (std::size_t end = folder.size();;) {
    std::shared_ptr<const AttributeRules> rules =
        TRY(folder_rules(std::string(folder.substr(0, end)), stack->fallback_reason));
    stack->levels.push_back({std::move(rules), end});
    if (end == 0) break;
    const std::size_t slash = end < 2 ? std::string_view::npos : folder.rfind('/', end - 2);
    end = slash == std::string_view::npos ? 0 : slash + 1;
  }
  stack->levels.insert(stack->levels.end(), user_and_system_rules_.begin(), user_and_system_rules_.end());
  std::erase_if(stack->levels, [](const Stack::Level& level) { return level.rules == nullptr; });
  for (const Stack::Level& level : stack->levels) {
    if (level.rules->has_quoted_pattern()) stack->fallback_reason = "an attribute's pattern is quoted";
  }
  stacks_[std::string(folder)] = stack;
  return std::shared_ptr<const Stack>(std::move(stack));
}

Result<std::shared_ptr<const Attributes::Stack>> Attributes::stack_of_path(std::string_view path) {
  const std::lock_guard lock(mutex_);
  return stack_of_folder(path.substr(0, path.rfind('/') + 1));
}

AttributeCollector Attributes::collect(const Stack& stack, std::string_view path) {
  static const AttributeRules builtin("[attr]binary -diff -merge -text\n", true);
  AttributeCollector::Macros macros;
  for (const Stack::Level& level : stack.levels) macros.push_back(level.rules.get());
  macros.push_back(&builtin);
  AttributeCollector found(std::move(macros));
  for (const Stack::Level& level : stack.levels) {
    const std::vector<AttributeRules::Rule>& rules = level.rules->rules();
    const std::string_view below = path.substr(level.prefix_bytes);
    for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
      if (rule->pattern.matches(below)) found.apply(rule->changes);
    }
  }
  return found;
}

Result<AttributeValue> Attributes::value(std::string_view path, std::string_view name) {
  const std::shared_ptr<const Stack> stack = TRY(stack_of_path(path));
  return collect(*stack, path).value(name);
}

Result<ContentConversion> Attributes::conversion(std::string_view path) {
  const std::shared_ptr<const Stack> stack = TRY(stack_of_path(path));
  ContentConversion out;
  out.fallback_reason = stack->fallback_reason;
  const AttributeCollector found = collect(*stack, path);
  std::optional<ContentConversion::LineEnds> line_ends = line_ends_of(found.value("text"));
  if (!line_ends) line_ends = line_ends_of(found.value("crlf"));
  const AttributeValue& eol = found.value("eol");
  const bool eol_given = eol.is_text("lf") || eol.is_text("crlf");
  if (!line_ends && eol_given) line_ends = ContentConversion::LineEnds::to_lf;
  if (!line_ends && config_.settings.auto_crlf != AutoCrlf::off)
    line_ends = ContentConversion::LineEnds::detect;
  out.line_ends = line_ends.value_or(ContentConversion::LineEnds::unchanged);
  out.ident = found.value("ident").kind == AttributeValue::Kind::set;

  using Kind = AttributeValue::Kind;
  const AttributeValue& filter = found.value("filter");
  if (filter.kind == Kind::text && filter_acts(config_, filter.text)) {
    out.fallback_reason = "a clean filter is configured: " + filter.text;
  }
  const AttributeValue& encoding = found.value("working-tree-encoding");
  const bool plain =
      encoding.kind == Kind::unspecified ||
      (encoding.kind == Kind::text && (encoding.text.empty() || equal_ignoring_case(encoding.text, "utf-8") ||
                                       equal_ignoring_case(encoding.text, "utf8")));
  if (!plain) out.fallback_reason = "a file has a working-tree-encoding";
  return out;
}

}  // namespace snapgen::core::git
