#pragma once
// Two wrappers for struct members: Nullable is null or a T; Box is a T that may contain itself.
#include <cstddef>
#include <memory>
#include <utility>

namespace snapgen::json {

// Nullable is null (the default) or a T. std::optional means an absent member, so
// `std::optional<Nullable<T>>` is absent, null or a T. Nullable does not contain a std::optional, because
// compilers need twice as long for it, and large schemas have thousands of these. Moving a T must not throw.
template <class T>
class Nullable {
 public:
  Nullable() noexcept : empty_() {}
  Nullable(std::nullptr_t) noexcept : empty_() {}
  Nullable(T value) : value_(std::move(value)), has_value_(true) {}
  Nullable(const Nullable& other) : empty_() {
    if (other.has_value_) construct(other.value_);
  }
  Nullable(Nullable&& other) noexcept : empty_() {
    if (other.has_value_) construct(std::move(other.value_));
  }
  Nullable& operator=(const Nullable& other) {
    if (this == &other) return *this;
    if (has_value_ && other.has_value_) {
      value_ = other.value_;
    } else if (other.has_value_) {
      construct(other.value_);
    } else {
      reset();
    }
    return *this;
  }
  Nullable& operator=(Nullable&& other) noexcept {
    if (this == &other) return *this;
    if (has_value_ && other.has_value_) {
      value_ = std::move(other.value_);
    } else if (other.has_value_) {
      construct(std::move(other.value_));
    } else {
      reset();
    }
    return *this;
  }
  ~Nullable() { reset(); }

  bool is_null() const { return !has_value_; }
  explicit operator bool() const { return has_value_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  T& emplace() {
    reset();
    return *mark_present(::new (static_cast<void*>(&value_)) T());
  }
  void reset() {
    if (!has_value_) return;
    has_value_ = false;
    value_.~T();
  }

  friend bool operator==(const Nullable& a, const Nullable& b) {
    return a.has_value_ == b.has_value_ && (!a.has_value_ || a.value_ == b.value_);
  }

 private:
  template <class V>
  T& construct(V&& value) {
    return *mark_present(::new (static_cast<void*>(&value_)) T(std::forward<V>(value)));
  }
  T* mark_present(T* value) {
    has_value_ = true;
    return value;
  }
  union {
    char empty_;
    T value_;
  };
  bool has_value_ = false;
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
