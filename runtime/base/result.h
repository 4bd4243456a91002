#pragma once
// Result<T>: a value or an Error; the one way in which the project reports failure.
//
// An Error carries one sentence for the client and, separately, the cause for the log. Asserts are only for
// bugs in this project.
#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/base/error_details.h"

namespace snapgen {

enum class ErrorCode : std::uint8_t {
  not_found,
  invalid_argument,
  repo_changed,
  permission_denied,
  too_large,
  internal,
  stale_lease,
  cancelled,
  unavailable,
  unsupported,
};

// Returns the code as clients see it, such as NOT_FOUND.
std::string_view text(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;      // For the client: one sentence, no line break.
  ErrorDetails details;     // For the client.
  std::string cause;        // Only for the log.
  std::string family_code;  // A tool family's code, such as TIER_REQUIRED; empty: use `code`.

  Error(ErrorCode code, std::string message, ErrorDetails details = {}, std::string cause = {})
      : code(code), message(std::move(message)), details(std::move(details)), cause(std::move(cause)) {}
};

// Returns an error for a failure that the client cannot act on. The message refers to the log for the cause.
Error internal_error(std::string cause);

struct Unit {};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_or_error_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : value_or_error_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return value_or_error_.index() == 0; }
  T& operator*() & { return value(); }
  const T& operator*() const& {
    assert(*this);
    return *std::get_if<0>(&value_or_error_);
  }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const {
    assert(*this);
    return std::get_if<0>(&value_or_error_);
  }
  Error& error() & {
    assert(!*this);
    return *std::get_if<1>(&value_or_error_);
  }
  const Error& error() const& {
    assert(!*this);
    return *std::get_if<1>(&value_or_error_);
  }
  Error&& error() && {
    assert(!*this);
    return std::move(*std::get_if<1>(&value_or_error_));
  }

 private:
  T& value() {
    assert(*this);
    return *std::get_if<0>(&value_or_error_);
  }
  std::variant<T, Error> value_or_error_;
};

}  // namespace snapgen

// Yields the value of a Result, or returns its error from the function around it:
//
//   Foo foo = TRY(read_foo(path));
//   TRY(write_foo(foo));
//
// Use it only as a whole initializer, as the whole right side of an assignment, or as a statement. If a
// larger expression returns early, g++ 12 does not destroy its existing temporaries. TRY does not compile in
// a coroutine; await the Result there. A lambda in the argument that itself uses TRY needs a name.
#define TRY(...)                                           \
  __extension__({                                          \
    auto try_result = (__VA_ARGS__);                       \
    if (!try_result) return std::move(try_result).error(); \
    *std::move(try_result);                                \
  })
