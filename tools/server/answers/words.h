#pragma once
// Functions for the answers of several tools: their common words, and measuring what fits.
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "schemas/common/skipped.h"
#include "schemas/common/text_encoding.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/server/answers/text_limit.h"

namespace snapgen::tools {

// Passes the variant that `output` has to `use`, and returns the result. The variant of a failure, which no
// output of a handler has, gives a default value.
template <class Output, class Use>
auto visit_answer(Output& output, const Use& use) {
  using Value = decltype(use(std::get<0>(output)));
  const auto visit = [&](auto& answer) -> Value {
    if constexpr (requires { answer.error; })
      return Value();
    else
      return use(answer);
  };
  return std::visit(visit, output);
}

// Returns " lease_…" for an answer about the work tree. Returns an empty text for one about a snapshot, and
// if the call passed this lease, because the client then knows it.
template <class Input, class Answer>
std::string lease_suffix(const Input& in, const Answer& answer) {
  if constexpr (requires { answer.lease_id; }) {
    if constexpr (requires { in.lease_id == answer.lease_id; })
      if (in.lease_id == answer.lease_id) return {};
    return " " + answer.lease_id;
  } else {
    return {};
  }
}

// As lease_suffix(), for a read: if the lease that the call passed is unknown, the answer has another one.
template <class Input, class Answer>
std::string lease_of_read(const Input& in, const Answer& answer) {
  const std::string suffix = lease_suffix(in, answer);
  const bool is_unknown = !suffix.empty() && in.lease_id && !in.lease_id->empty();
  return suffix + (is_unknown ? " (new: the lease of the call is unknown)" : "");
}

inline bool is_encoded(std::string_view content) { return content.starts_with(core::base64_prefix); }

// Returns the size of a text inside a JSON string, in bytes.
inline std::size_t encoded_size(std::string_view text) { return json::quoted(text).size() - 2; }

// Returns how many of the items fit as canonical JSON.
template <class Item>
std::size_t count_fitting(const std::vector<Item>& items, TextLimit limit) {
  if (!limit.is_limited()) return items.size();
  std::size_t count = 0;
  while (count < items.size() && limit.try_consume(json::to_json(items[count]).size() + 1, 0)) ++count;
  return count;
}

// Appends the texts of the items, as many as fit, and the number of the other ones.
template <class Item, class TextOf>
void append_fitting(const std::vector<Item>& items, TextOf text_of, std::string_view noun, TextLimit& limit,
                    std::string& text) {
  std::size_t shown = 0;
  for (; shown < items.size(); ++shown) {
    const std::string piece = text_of(items[shown]);
    if (!limit.try_consume(piece)) break;
    text += piece;
  }
  if (shown < items.size())
    text += "and " + core::count_with_noun(static_cast<std::int64_t>(items.size() - shown), noun) + "\n";
}

// Returns `path` for display: quoted as JSON if it has control characters, which are then visible.
std::string quoted_path(const std::string& path);
// Returns the short form of a blob id, which later calls accept. `blob` is "sha256:" and 64 digits.
std::string short_blob_id(std::string_view blob);
// Returns ", encoding latin-1"; empty for UTF-8 and binary files.
std::string encoding_words(const std::optional<TextEncoding>& encoding);
// Returns lines such as "encoding latin-1: a.txt, b.txt\n" for items that are not in UTF-8, in order of
// paths.
template <class Item>
std::string encoding_lines(const std::vector<Item>& items) {
  constexpr std::size_t named_max = 5;
  std::map<std::string_view, std::vector<std::string>> paths;
  for (const Item& item : items) {
    if (!item.encoding) continue;
    std::vector<std::string>& named = paths[text(*item.encoding)];
    if (named.empty() || named.back() != item.path) named.push_back(item.path);
  }
  std::string lines;
  for (const auto& [encoding, named] : paths)
    lines += "encoding " + std::string(encoding) + ": " + core::some_of(named, named_max) + "\n";
  return lines;
}
// Returns a line such as "skipped 2 binary, 1 ignored\n"; empty if nothing was skipped.
std::string skipped_line(const Skipped& skipped);

}  // namespace snapgen::tools
