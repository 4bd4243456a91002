#include "runtime/websocket/accept.h"

#include <array>

// This file calls the deprecated SHA1_Init(), because SHA1() of OpenSSL 3 would link all of its algorithms.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "runtime/base/text.h"

namespace snapgen::websocket {

std::string sec_websocket_accept(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
  SHA_CTX state;
  SHA1_Init(&state);
  SHA1_Update(&state, text.data(), text.size());
  SHA1_Final(digest.data(), &state);
  return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace snapgen::websocket
