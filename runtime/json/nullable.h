#pragma once
// Two wrappers for struct members: Nullable is null or a T; Box is a T that may contain itself.
#include <compare>
#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace snapgen::json {

// Nullable is null (the default) or a T. std::optional means an absent member, so
// `std::optional<Nullable<T>>` is absent, null or a T. Nullable does not contain a std::optional, because
// compilers need twice as long for it, and large schemas have thousands of these. Moving a T must not throw.
template <class T>
class Nullable {
 public:
  Nullable() noexcept : nothing_() {}
  Nullable(std::nullptr_t) noexcept : nothing_() {}
  Nullable(T value) : value_(std::move(value)), there_(true) {}
  Nullable(const Nullable& other) : nothing_() {
    if (other.there_) put(other.value_);
  }
  Nullable(Nullable&& other) noexcept : nothing_() {
    if (other.there_) put(std::move(other.value_));
  }
  Nullable& operator=(const Nullable& other) {
    if (this == &other) return *this;
    if (there_ && other.there_) {
      value_ = other.value_;
    } else if (other.there_) {
      put(other.value_);
    } else {
      reset();
    }
    return *this;
  }
  Nullable& operator=(Nullable&& other) noexcept {
    if (this == &other) return *this;
    if (there_ && other.there_) {
      value_ = std::move(other.value_);
    } else if (other.there_) {
      put(std::move(other.value_));
    } else {
      reset();
    }
    return *this;
  }
  ~Nullable() { reset(); }

  bool is_null() const { return !there_; }
  explicit operator bool() const { return there_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  T& emplace() {
    reset();
    return *made(::new (static_cast<void*>(&value_)) T());
  }
  void reset() {
    if (!there_) return;
    there_ = false;
    value_.~T();
  }

  friend bool operator==(const Nullable& a, const Nullable& b) {
    return a.there_ == b.there_ && (!a.there_ || a.value_ == b.value_);
  }

 private:
  template <class V>
  T& put(V&& value) {
    return *made(::new (static_cast<void*>(&value_)) T(std::forward<V>(value)));
  }
  T* made(T* value) {
    there_ = true;
    return value;
  }
  union {
    char nothing_;
    T value_;
  };
  bool there_ = false;
};

// Owns one T on the heap and copies it deeply, so that a struct can contain a Box of its own type. Only a
// moved-from Box is empty; it may only be assigned to or destroyed.
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
