#pragma once
// EditorConfig is one parsed `.editorconfig` file (editorconfig.org), as far as it declares encodings.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

class EditorConfig {
 public:
  explicit EditorConfig(std::string_view text);

  // Returns true if the files in the folders above do not apply.
  bool is_root() const { return is_root_; }
  // Returns the value of `charset` for a file, in lower case; nullopt if no section has one. `path` is
  // relative to the folder of the `.editorconfig` file.
  std::optional<std::string_view> charset(std::string_view path) const;

 private:
  struct Section {
    std::string glob;
    std::string charset;
  };

  bool is_root_ = false;
  std::vector<Section> sections_;  // Those with a charset, in the order of the file.
};

}  // namespace snapgen::core
