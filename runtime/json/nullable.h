#pragma once
// Two wrappers for struct members whose schema is more than a plain type: Nullable, null or a T; Box, a T
// that may contain itself.
#include <compare>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace snapgen::json {

// Null or a T. Apart from std::optional, which says that a member is absent; `std::optional<Nullable<T>>` has
// all three states. Null unless told otherwise.
template <class T>
class Nullable {
 public:
  Nullable() = default;
  Nullable(std::nullptr_t) {}
  Nullable(T value) : value_(std::move(value)) {}

  bool is_null() const { return !value_.has_value(); }
  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  T& emplace() { return value_.emplace(); }
  void reset() { value_.reset(); }

  friend bool operator==(const Nullable&, const Nullable&) = default;

 private:
  std::optional<T> value_;
};

// Owns one T on the heap and copies it with itself, so that a struct may have a member of its own type. Never
// empty, but for one that was moved from, which may only be assigned to or destroyed.
template <class T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    if (this != &other) value_ = std::make_unique<T>(*other);
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace snapgen::json
