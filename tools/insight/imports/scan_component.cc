// Scanner of the scripts in components of Vue, Svelte and Astro.
#include <algorithm>
#include <string>

#include "tools/insight/imports/scan.h"

namespace snapgen::core {
namespace {

// ComponentScripts replaces everything else than scripts by empty lines.
class ComponentScripts {
 public:
  explicit ComponentScripts(std::string_view text) : rest_(text) {}

  // Adds the files of `<script src="x">` to `imports`.
  std::string run(std::vector<Import>& imports) && {
    take_front_matter();
    while (!rest_.empty()) {
      drop(std::min(rest_.find('<'), rest_.size()));
      if (rest_.starts_with("<!--")) {
        drop(end_of("-->"));
      } else if (is_script()) {
        take_script(imports);
      } else {
        drop(std::min<std::size_t>(1, rest_.size()));
      }
    }
    return std::move(scripts_);
  }

 private:
  std::size_t end_of(std::string_view mark) const {
    const std::size_t at = rest_.find(mark);
    return at == std::string_view::npos ? rest_.size() : at + mark.size();
  }

  void drop(std::size_t count) {
    const auto lines = std::ranges::count(rest_.substr(0, count), '\n');
    scripts_.append(static_cast<std::size_t>(lines), '\n');
    line_ += lines;
    rest_.remove_prefix(count);
  }

  void take(std::size_t count) {
    scripts_ += rest_.substr(0, count);
    line_ += std::ranges::count(rest_.substr(0, count), '\n');
    rest_.remove_prefix(count);
  }

  // Takes the script of Astro between two lines `---` at the beginning.
  void take_front_matter() {
    const std::size_t begin = rest_.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || !rest_.substr(begin).starts_with("---")) return;
    drop(begin + 3);
    take(std::min(rest_.find("\n---"), rest_.size()));
    drop(end_of("---"));
  }

  bool is_script() const {
    constexpr std::string_view tag = "<script";
    return rest_.starts_with(tag) && rest_.size() > tag.size() &&
           std::string_view(" \t\r\n>").find(rest_[tag.size()]) != std::string_view::npos;
  }

  void take_script(std::vector<Import>& imports) {
    char quote = '\0';
    std::size_t end = 0;
    for (; end < rest_.size() && (quote != '\0' || rest_[end] != '>'); ++end) {
      const char c = rest_[end];
      if (quote == '\0' && (c == '"' || c == '\''))
        quote = c;
      else if (c == quote)
        quote = '\0';
    }
    const std::string_view tag = rest_.substr(0, end);
    if (const std::size_t source = tag.find(" src="); source != std::string_view::npos) {
      std::string_view name = tag.substr(source + 5);
      const std::size_t close = name.empty() ? name.npos : name.find(name[0], 1);
      if (close != std::string_view::npos && (name[0] == '"' || name[0] == '\''))
        imports.push_back(
            {.name = std::string(name.substr(1, close - 1)), .members = {}, .path = {}, .line = line_});
    }
    drop(std::min(end + 1, rest_.size()));
    if (!tag.ends_with('/')) take(std::min(rest_.find("</script"), rest_.size()));
  }

  std::string_view rest_;
  std::string scripts_;
  std::int64_t line_ = 1;
};

}  // namespace

std::vector<Import> scan_component(std::string_view text) {
  std::vector<Import> imports;
  const std::string scripts = ComponentScripts(text).run(imports);
  std::vector<Import> of_scripts = scan_javascript(scripts);
  imports.insert(imports.end(), of_scripts.begin(), of_scripts.end());
  std::ranges::stable_sort(imports, {}, &Import::line);
  return imports;
}

}  // namespace snapgen::core
