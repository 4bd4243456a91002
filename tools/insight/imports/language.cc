#include "tools/insight/imports/language.h"

#include <algorithm>
#include <utility>

#include "tools/engine/files/path.h"

namespace snapgen::core {

Language language_of(std::string_view path) {
  using enum Language;
  static constexpr std::pair<std::string_view, Language> endings[] = {
      {"c", c},           {"c++", c},          {"cc", c},          {"cjs", javascript},
      {"cpp", c},         {"cts", javascript}, {"cu", c},          {"cuh", c},
      {"cxx", c},         {"go", go},          {"h", c},           {"h++", c},
      {"hh", c},          {"hpp", c},          {"hxx", c},         {"inc", c},
      {"inl", c},         {"ipp", c},          {"js", javascript}, {"jsx", javascript},
      {"m", c},           {"mjs", javascript}, {"mm", c},          {"mts", javascript},
      {"py", python},     {"pyi", python},     {"rs", rust},       {"tcc", c},
      {"ts", javascript}, {"tsx", javascript},
  };
  static_assert(std::ranges::is_sorted(endings, {}, &std::pair<std::string_view, Language>::first));
  std::string_view name = base_name(path);
  std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return none;
  std::string_view ending = name.substr(dot + 1);
  const auto* found =
      std::ranges::lower_bound(endings, ending, {}, &std::pair<std::string_view, Language>::first);
  return found != std::end(endings) && found->first == ending ? found->second : none;
}

}  // namespace snapgen::core
