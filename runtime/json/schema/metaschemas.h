#pragma once
// The metaschemas: draft 2020-12 with its vocabularies, and draft 7.
#include <span>
#include <string_view>

namespace snapgen::json {

struct Metaschema {
  std::string_view uri;
  std::string_view text;
};

std::span<const Metaschema> metaschemas();

}  // namespace snapgen::json
