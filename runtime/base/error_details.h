#pragma once
// ErrorDetails: what an error tells a client beside its sentence: the members of a JSON object, in the order
// in which they were added. json::object_text() writes it (runtime/json/details.h).
#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace snapgen {

class ErrorDetails {
 public:
  struct Member {
    std::string key;
    std::string value;
    bool is_json = false;  // The value is JSON, not a text.
    bool operator==(const Member&) const = default;
  };

  // Each of these adds a member with a new key.
  ErrorDetails& add(std::string key, std::string_view text) {
    return add({.key = std::move(key), .value = std::string(text)});
  }
  ErrorDetails& add_number(std::string key, std::int64_t number) {
    return add_json(std::move(key), std::to_string(number));
  }
  ErrorDetails& add_json(std::string key, std::string json) {
    return add({.key = std::move(key), .value = std::move(json), .is_json = true});
  }

  ErrorDetails& add_all(const ErrorDetails& others) {
    for (const Member& each : others.members_) add(each);
    return *this;
  }

  bool empty() const { return members_.empty(); }
  const std::vector<Member>& members() const { return members_; }
  // Returns a member, or null.
  const Member* find(std::string_view key) const {
    const auto found = std::ranges::find(members_, key, &Member::key);
    return found == members_.end() ? nullptr : &*found;
  }
  // Returns the text of a member; empty if there is none, or if it is no text.
  std::string_view text(std::string_view key) const {
    const Member* const member = find(key);
    return member == nullptr || member->is_json ? std::string_view() : std::string_view(member->value);
  }
  // Returns the JSON of a member that add_number() or add_json() added; else empty.
  std::string_view json(std::string_view key) const {
    const Member* const member = find(key);
    return member == nullptr || !member->is_json ? std::string_view() : std::string_view(member->value);
  }

  // Returns the number that add_number() added; else nullopt.
  std::optional<std::int64_t> number(std::string_view key) const {
    const std::string_view text = json(key);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc() && !text.empty() && end == text.data() + text.size();
    return is_number ? std::optional(value) : std::nullopt;
  }

  bool operator==(const ErrorDetails&) const = default;

 private:
  ErrorDetails& add(Member member) {
    assert(find(member.key) == nullptr);
    members_.push_back(std::move(member));
    return *this;
  }

  std::vector<Member> members_;
};

// What the client can do about an error.
inline ErrorDetails hint_details(std::string_view sentence) { return ErrorDetails().add("hint", sentence); }

}  // namespace snapgen
