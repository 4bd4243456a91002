#pragma once
// Attributes of paths (gitattributes(5)), as far as they decide how a file's bytes become a blob.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/pattern.h"
#include "tools/engine/git/repository/settings.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core::git {

struct AttributeValue {
  enum class Kind : std::uint8_t { unspecified, set, unset, text };
  Kind kind = Kind::unspecified;
  std::string text;

  bool is_text(std::string_view wanted) const { return kind == Kind::text && text == wanted; }
};

struct AttributeAssignment {
  std::string name;
  AttributeValue value;  // The kind `unspecified` is for `!name`.
};

// AttributeRules is one parsed attributes file.
class AttributeRules {
 public:
  // `macros_allowed` is false for files in subfolders.
  AttributeRules(std::string bytes, bool macros_allowed);
  AttributeRules(const AttributeRules&) = delete;
  AttributeRules& operator=(const AttributeRules&) = delete;

  struct Rule {
    PathPattern pattern;
    std::vector<AttributeAssignment> changes;
  };
  const std::vector<Rule>& rules() const { return rules_; }
  // Returns the last definition of a macro, or null.
  const std::vector<AttributeAssignment>* macro(std::string_view name) const;
  bool has_quoted_pattern() const { return has_quoted_pattern_; }

 private:
  void add(std::string_view line, bool macros_allowed);

  std::string bytes_;
  std::vector<Rule> rules_;
  std::map<std::string, std::vector<AttributeAssignment>, std::less<>> macros_;
  bool has_quoted_pattern_ = false;
};

// AttributeCollector collects the values of a path's attributes from several files; the first value of a name
// wins.
class AttributeCollector {
 public:
  using Macros = std::vector<const AttributeRules*>;

  explicit AttributeCollector(Macros macros) : macros_(std::move(macros)) {}

  void apply(const std::vector<AttributeAssignment>& changes) {
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
      if (!values_.try_emplace(change->name, &change->value).second) continue;
      if (change->value.kind != AttributeValue::Kind::set) continue;
      if (const std::vector<AttributeAssignment>* expanded = macro(change->name)) apply(*expanded);
    }
  }

  const AttributeValue& value(std::string_view name) const {
    static const AttributeValue unspecified;
    const auto found = values_.find(name);
    return found == values_.end() ? unspecified : *found->second;
  }

 private:
  const std::vector<AttributeAssignment>* macro(std::string_view name) const {
    for (const AttributeRules* rules : macros_) {
      if (const std::vector<AttributeAssignment>* found = rules->macro(name)) return found;
    }
    return nullptr;
  }

  Macros macros_;
  std::map<std::string_view, const AttributeValue*, std::less<>> values_;
};

// How a file's bytes are cleaned before they are hashed.
struct ContentConversion {
  enum class LineEnds : std::uint8_t { unchanged, to_lf, detect };
  LineEnds line_ends = LineEnds::unchanged;
  bool ident = false;
  std::string fallback_reason;  // Why the git program must clean the file; empty if it need not.

  bool changes_nothing() const { return line_ends == LineEnds::unchanged && !ident; }
};

// Attributes answers attribute queries during one operation. It is thread-safe and reads each file once.
class Attributes {
 public:
  Attributes(Repository::State& state, const LoadedConfig& config, const Index& index, int root_fd)
      : repository_state_(state), config_(config), index_(index), root_fd_(root_fd) {}

  const RepositoryFormat& format() const { return config_.format; }

  Result<ContentConversion> conversion(std::string_view path);
  Result<AttributeValue> value(std::string_view path, std::string_view name);

 private:
  // The attributes files that apply to the paths of one folder, in decreasing precedence.
  struct Stack {
    struct Level {
      std::shared_ptr<const AttributeRules> rules;
      std::size_t prefix_bytes = 0;
    };
    std::vector<Level> levels;
    std::string fallback_reason;
  };

  Result<std::shared_ptr<const Stack>> stack_of_folder(std::string_view folder);
  Result<std::shared_ptr<const Stack>> stack_of_path(std::string_view path);
  static AttributeCollector collect(const Stack& stack, std::string_view path);
  Result<std::shared_ptr<const AttributeRules>> folder_rules(const std::string& folder,
                                                             std::string& fallback_reason);
  static Result<std::shared_ptr<const AttributeRules>> outside_rules(const std::string& path);

  Repository::State& repository_state_;
  const LoadedConfig& config_;
  const Index& index_;
  const int root_fd_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Stack>, std::less<>> stacks_;
  std::map<std::string, std::shared_ptr<const AttributeRules>, std::less<>> folders_;
  std::vector<Stack::Level> user_and_system_rules_;  // The user's and the system's attributes files.
  std::shared_ptr<const AttributeRules> info_;       // The repository's info/attributes, which overrides all.
  bool outside_read_ = false;
};

// Returns the attributes files outside the work tree: the repository's, user's and system's. They may be
// missing.
std::vector<std::string> attribute_files_outside(const Repository::State& state, const Settings& settings);

}  // namespace snapgen::core::git
