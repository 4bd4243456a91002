#include "tools/core/imports/cargo.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
// It asserts that a key begins where one is wanted, which is not so of "[!", and goes on to say that; nobody
// may rely on the assertion.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace snapgen::core {
namespace {

std::string string_of(toml::node_view<const toml::node> node) {
  const toml::value<std::string>* value = node.as_string();
  return value == nullptr ? std::string() : value->get();
}

}  // namespace

std::optional<CargoManifest> read_cargo(std::string_view text) {
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) return std::nullopt;
  const toml::table& table = parsed.table();
  CargoManifest manifest;
  manifest.library_name = string_of(table["package"]["name"]);
  if (manifest.library_name.empty()) return std::nullopt;
  std::string library = string_of(table["lib"]["name"]);
  if (!library.empty()) manifest.library_name = std::move(library);
  manifest.library_path = string_of(table["lib"]["path"]);
  for (const char* kind : {"bin", "test", "example", "bench"}) {
    const toml::array* programs = table[kind].as_array();
    if (programs == nullptr) continue;
    for (const toml::node& program : *programs) {
      const toml::table* one = program.as_table();
      if (one == nullptr) continue;
      std::string path = string_of((*one)["path"]);
      if (!path.empty()) manifest.program_paths.push_back(std::move(path));
    }
  }
  return manifest;
}

}  // namespace snapgen::core
