#include "tools/insight/imports/language.h"

#include <algorithm>
#include <utility>

#include "tools/engine/files/path.h"

namespace snapgen::core {

namespace {

using LanguageOfEnding = std::pair<std::string_view, Language>;

// Returns the language that the table, sorted by ending, has for the file's name.
template <std::size_t N>
Language find_by_ending(const LanguageOfEnding (&endings)[N], std::string_view path) {
  std::string_view name = base_name(path);
  std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return Language::none;
  std::string_view ending = name.substr(dot + 1);
  const auto* found = std::ranges::lower_bound(endings, ending, {}, &LanguageOfEnding::first);
  return found != std::end(endings) && found->first == ending ? found->second : Language::none;
}

}  // namespace

Language language_of(std::string_view path) {
  using enum Language;
  static constexpr LanguageOfEnding endings[] = {
      {"astro", component},
      {"c", c},
      {"c++", c},
      {"cc", c},
      {"cjs", javascript},
      {"cpp", c},
      {"cts", javascript},
      {"cu", c},
      {"cuh", c},
      {"cxx", c},
      {"go", go},
      {"h", c},
      {"h++", c},
      {"hh", c},
      {"hpp", c},
      {"hxx", c},
      {"inc", c},
      {"inl", c},
      {"ipp", c},
      {"js", javascript},
      {"jsx", javascript},
      {"m", c},
      {"mjs", javascript},
      {"mm", c},
      {"mts", javascript},
      {"py", python},
      {"pyi", python},
      {"rs", rust},
      {"svelte", component},
      {"tcc", c},
      {"ts", javascript},
      {"tsx", javascript},
      {"vue", component},
  };
  static_assert(std::ranges::is_sorted(endings, {}, &LanguageOfEnding::first));
  return find_by_ending(endings, path);
}

Language unscanned_importer_of(std::string_view path) {
  using enum Language;
  static constexpr LanguageOfEnding endings[] = {
      {"S", c},
      {"coffee", javascript},
      {"ejs", javascript},
      {"html", javascript},
      {"i", c},
      {"imba", javascript},
      {"ipynb", python},
      {"l", c},
      {"ll", c},
      {"marko", javascript},
      {"mdx", javascript},
      {"metal", c},
      {"pxd", python},
      {"pyx", python},
      {"rc", c},
      {"riot", javascript},
      {"y", c},
      {"yy", c},
  };
  static_assert(std::ranges::is_sorted(endings, {}, &LanguageOfEnding::first));
  return find_by_ending(endings, path);
}

}  // namespace snapgen::core
