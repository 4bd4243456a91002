#pragma once
// Round trip of a text through a struct of another project's schema. make_table.py generates the table.
#include <map>
#include <string>
#include <string_view>

#include "runtime/json/reader.h"
#include "runtime/json/rules.h"
#include "runtime/json/values.h"

namespace snapgen::structs {

struct Trip {
  std::string complaint;  // Why the text is invalid; empty if it is valid.
  std::string written;    // In canonical form, if the text is valid.
  bool equal = false;     // Whether the written text reads as an equal value.
};
using RoundTrip = Trip (*)(std::string_view text);

// By namespace and name: "mcp_2026_07_28/Tool".
const std::map<std::string_view, RoundTrip>& table();

template <class T>
Trip round_trip(std::string_view text) {
  Trip trip;
  T first{}, second{}, third{};
  const auto take = [&](std::string_view from, T& out) {
    json::Reader in(from);
    read(in, out);
    in.end();
    if (in.ok()) return true;
    trip.complaint = in.syntax_ok() && !in.violations().empty()
                         ? in.violations().front().pointer + ": " + in.violations().front().message
                         : std::string(in.error_message());
    return false;
  };
  if (!take(text, first)) return trip;
  trip.written = json::to_json(first);
  // A json::Raw is its source text, so two values read from written text are equal.
  trip.equal = take(trip.written, second) && take(json::to_json(second), third) && second == third;
  return trip;
}

}  // namespace snapgen::structs
