#pragma once
// MemorySource: a tree in memory as the source of edits.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/engine/patch/tree.h"
#include "tools/engine/edit/edited_tree.h"
#include "tools/engine/search/globs.h"

namespace snapgen::core {

// A tree without symlinks on the way, in which a tool may write everything but `protected`.
class MemorySource final : public EditSource {
 public:
  explicit MemorySource(const Tree& tree) : files_(tree), tree_(tree) {}

  FileTree& tree() override { return tree_; }
  Result<std::string> real_path(std::string_view path, bool) override { return std::string(path); }
  Result<Unit> check_writable(std::string_view path) override {
    if (path != "protected") return Unit{};
    return Error(ErrorCode::permission_denied, "protected may not be written.");
  }
  Result<std::vector<std::string>> search(const PatternEdit& edit) override {
    std::vector<std::string> paths;
    for (const auto& [path, file] : files_) {
      const bool searched = TRY(is_searched(edit, path));
      if (searched && file.mode != FileMode::symlink) paths.push_back(path);
    }
    return paths;
  }
  Result<bool> is_searched(const PatternEdit& edit, std::string_view path) override {
    const Globs globs = TRY(Globs::parse(edit.globs));
    return globs.selects(path);
  }
  std::optional<std::string> stored_content(std::string_view, std::string_view blob_prefix) override {
    for (const std::string& content : stored)
      if (blob_id_of(content).hex().starts_with(blob_prefix)) return content;
    return std::nullopt;
  }

  std::vector<std::string> stored;

 private:
  const Tree& files_;
  TreeView tree_;
};

}  // namespace snapgen::core
