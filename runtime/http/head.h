#pragma once
// Head: the first part of an HTTP/1.1 request (RFC 9112), as a peer sent it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::http {

struct Field {
  std::string_view name;   // As it was sent; names are compared without case.
  std::string_view value;  // Without white space around it.
};

struct Head {
  std::string text;  // What the rest points into.
  std::string_view method;
  std::string_view
      target;             // The path and the query; of an absolute target, what stands behind the authority.
  std::string_view host;  // Of the one Host field.
  std::vector<Field> fields;
  bool keep_alive = false;        // The connection may carry another request.
  bool expects_continue = false;  // The peer waits for a 100 before it sends the body.

  Head() = default;
  Head(Head&&) = delete;

  // The path, without the query.
  std::string_view path() const { return target.substr(0, target.find('?')); }
  // The value of the first field of this name; empty if there is none.
  std::string_view find(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  // Whether the fields of this name, read as lists, hold this word.
  bool lists(std::string_view name, std::string_view word) const;
  // Whether the peer wants to go on in another protocol, which `Upgrade` names (RFC 9110 section 7.8).
  bool upgrades_to(std::string_view protocol) const {
    return lists("Connection", "Upgrade") && lists("Upgrade", protocol);
  }
};

// Without regard to the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);

// Without white space around it.
std::string_view trimmed(std::string_view text);

// What a request is refused with.
struct Refusal {
  int status = 400;
  std::string_view sentence;
};

// "Not Found" and the like; RFC 9110 section 15.
std::string_view reason(int status);

}  // namespace snapgen::http
