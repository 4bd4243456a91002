#include "tools/engine/base/hash.h"

#include <cstdlib>

#include <openssl/evp.h>

namespace snapgen::core {
namespace {

// OpenSSL returns 0 here only if memory is exhausted or the library is broken; neither can be recovered from.
void require(bool done) {
  if (!done) std::abort();
}

EVP_MD* fetched(HashKind kind) {
  static OSSL_LIB_CTX* const library = OSSL_LIB_CTX_new();
  static EVP_MD* const sha1 = EVP_MD_fetch(library, "SHA1", nullptr);
  static EVP_MD* const sha256 = EVP_MD_fetch(library, "SHA256", nullptr);
  EVP_MD* algorithm = kind == HashKind::sha1 ? sha1 : sha256;
  require(algorithm != nullptr);
  return algorithm;
}

}  // namespace

template <HashKind kind>
void Hasher<kind>::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

template <HashKind kind>
Hasher<kind>::Hasher() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr && EVP_DigestInit_ex2(context_.get(), fetched(kind), nullptr) == 1);
}

template <HashKind kind>
void Hasher<kind>::update(std::string_view bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

template <HashKind kind>
typename Hasher<kind>::Digest Hasher<kind>::digest() {
  Digest out;
  require(EVP_DigestFinal_ex(context_.get(), out.data(), nullptr) == 1);
  require(EVP_DigestInit_ex2(context_.get(), nullptr, nullptr) == 1);
  return out;
}

template class Hasher<HashKind::sha1>;
template class Hasher<HashKind::sha256>;

namespace {

// One hasher per thread, because creating a context costs more than hashing a short text.
template <class H>
typename H::Digest one_shot(std::string_view bytes) {
  thread_local H hasher;
  hasher.update(bytes);
  return hasher.digest();
}

std::string digits(std::string_view bytes) {
  constexpr std::string_view alphabet = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (unsigned char byte : bytes) {
    out += alphabet[byte >> 4];
    out += alphabet[byte & 15];
  }
  return out;
}

}  // namespace

Sha256::Digest sha256(std::string_view bytes) { return one_shot<Sha256>(bytes); }
Sha1::Digest sha1(std::string_view bytes) { return one_shot<Sha1>(bytes); }
std::string sha256_hex(std::string_view bytes) { return digits(bytes_of(sha256(bytes))); }
std::string sha1_hex(std::string_view bytes) { return digits(bytes_of(sha1(bytes))); }

}  // namespace snapgen::core
