#pragma once
// enum_cast: converts between enumerations whose enumerators have the same names, such as one of the engine
// and one that is generated from a schema. It does not compile if a name differs.
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace snapgen {

// Returns the name of the enumerator with this value; empty if there is none.
template <auto value>
consteval std::string_view enumerator_name() {
  // g++ writes "… [with auto value = Colour::red; …]", and clang "… [value = Colour::red]". A value without
  // an enumerator is written as a cast, "(Colour)5".
  std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::string_view begin = "value = ";
  text.remove_prefix(text.find(begin) + begin.size());
  text = text.substr(0, text.find_first_of(";]"));
  if (text.find('(') == 0) return {};
  return text.substr(text.rfind(':') + 1);
}

template <class To, class From, std::size_t... values>
consteval bool have_same_names(std::index_sequence<values...>) {
  return ((enumerator_name<static_cast<From>(values)>().empty() ||
           enumerator_name<static_cast<From>(values)>() == enumerator_name<static_cast<To>(values)>()) &&
          ...);
}

// Returns the enumerator of To with the name of `value`. Both enumerations begin at 0; To may have more
// enumerators at its end.
template <class To, class From>
constexpr To enum_cast(From value) {
  static_assert(std::is_enum_v<From> && std::is_enum_v<To>);
  constexpr std::size_t values_max = 64;
  static_assert(enumerator_name<static_cast<From>(values_max)>().empty(), "too many enumerators");
  static_assert(have_same_names<To, From>(std::make_index_sequence<values_max>()),
                "the enumerators of both types must have the same names in the same order");
  return static_cast<To>(value);
}

}  // namespace snapgen
