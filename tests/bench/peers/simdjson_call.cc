#include "tests/bench/peers/simdjson_call.h"

#include <optional>
#include <string>
#include <vector>

#include <simdjson.h>

namespace peers {
namespace {

namespace od = simdjson::ondemand;

// Stores the value in `to`. Returns false if it has another type or is missing.
template <class From, class To>
bool get(From&& from, To& to) {
  return std::forward<From>(from).get(to) == simdjson::SUCCESS;
}

bool read(od::value value, std::string& to) {
  std::string_view found;
  if (!get(value.get_string(), found)) return false;
  to.assign(found);
  return true;
}

bool read(od::value value, std::vector<std::string>& to) {
  od::array items;
  if (!get(value.get_array(), items)) return false;
  std::size_t count = 0;
  for (auto each : items) {
    od::value item;
    if (count == to.size()) to.emplace_back();
    if (!get(each, item) || !read(item, to[count++])) return false;
  }
  to.resize(count);
  return true;
}

template <class T>
bool read(od::value value, std::optional<T>& to) {
  return read(value, to ? *to : to.emplace());
}

bool read(od::value value, golden::SmallCallMode& to) {
  std::string_view found;
  if (!get(value.get_string(), found)) return false;
  for (auto mode :
       {golden::SmallCallMode::start, golden::SmallCallMode::check, golden::SmallCallMode::context}) {
    if (found != text(mode)) continue;
    to = mode;
    return true;
  }
  return false;
}

bool read(std::string_view key, od::value value, golden::SmallCall& to) {
  if (key == "mode") return read(value, to.mode);
  if (key == "task") return read(value, to.task);
  if (key == "files") return read(value, to.files);
  if (key == "keywords") return read(value, to.keywords);
  return key != "compact" || get(value.get_bool(), to.compact);
}

}  // namespace

struct SimdjsonCall::Kept {
  explicit Kept(std::string_view given) : text(given) {}
  od::parser parser;
  simdjson::padded_string text;
};

SimdjsonCall::SimdjsonCall(std::string_view text) : kept_(std::make_unique<Kept>(text)) {}
SimdjsonCall::~SimdjsonCall() = default;

bool SimdjsonCall::read(golden::SmallCall& out) {
  od::document document;
  od::object members;
  if (!get(kept_->parser.iterate(kept_->text), document) || !get(document.get_object(), members))
    return false;
  for (auto each : members) {
    od::field member;
    std::string_view key;
    if (!get(std::move(each), member) || !get(member.unescaped_key(), key)) return false;
    if (!peers::read(key, std::move(member).value(), out)) return false;
  }
  return true;
}

}  // namespace peers
