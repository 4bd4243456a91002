#pragma once
// The metaschemas of JSON Schema draft 2020-12, with its vocabularies, and of draft 7, as texts.
#include <span>
#include <string_view>

namespace snapgen::json {

struct Metaschema {
  std::string_view uri;
  std::string_view text;
};

std::span<const Metaschema> metaschemas();

}  // namespace snapgen::json
