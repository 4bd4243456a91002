#include "runtime/websocket/accept.h"

#include <array>

#include <openssl/sha.h>

#include "runtime/base/text.h"

namespace snapgen::websocket {

std::string accept_of(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace snapgen::websocket
