#include "runtime/seal/seal.h"

#include <sodium.h>

#include "runtime/base/text.h"

namespace snapgen {
namespace {

constexpr std::size_t nonce_bytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_bytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr int alphabet = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::size_t digest_bytes = 32;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// libsodium must be initialized before its first use; repeated calls have no effect.
bool is_ready() { return sodium_init() >= 0; }

Error no_random() { return internal_error("the system gives no random numbers"); }

}  // namespace

Result<std::unique_ptr<Sealer>> Sealer::create() {
  static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == sizeof(key_));
  if (!is_ready()) return no_random();
  std::unique_ptr<Sealer> sealer(new Sealer);
  crypto_aead_xchacha20poly1305_ietf_keygen(sealer->key_.data());
  return sealer;
}

Sealer::~Sealer() { sodium_memzero(key_.data(), key_.size()); }

std::string Sealer::seal(std::string_view text, std::string_view context) const {
  std::string sealed(nonce_bytes + text.size() + tag_bytes, '\0');
  unsigned char* nonce = bytes_of(sealed);
  randombytes_buf(nonce, nonce_bytes);
  crypto_aead_xchacha20poly1305_ietf_encrypt(nonce + nonce_bytes, nullptr, bytes_of(text), text.size(),
                                             bytes_of(context), context.size(), nullptr, nonce, key_.data());
  std::string encoded(sodium_base64_encoded_len(sealed.size(), alphabet), '\0');
  sodium_bin2base64(encoded.data(), encoded.size(), bytes_of(sealed), sealed.size(), alphabet);
  encoded.pop_back();  // Removes the terminating NUL.
  return encoded;
}

Result<std::string> Sealer::open(std::string_view sealed, std::string_view context) const {
  const Error refused(ErrorCode::permission_denied, "The token was not issued by this server for this use.");
  std::string bytes(sealed.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(bytes_of(bytes), bytes.size(), sealed.data(), sealed.size(), nullptr, &size, nullptr,
                        alphabet) != 0 ||
      size < nonce_bytes + tag_bytes) {
    return refused;
  }
  std::string text(size - nonce_bytes - tag_bytes, '\0');
  const unsigned char* nonce = bytes_of(std::string_view(bytes));
  const int opened = crypto_aead_xchacha20poly1305_ietf_decrypt(
      bytes_of(text), nullptr, nullptr, nonce + nonce_bytes, size - nonce_bytes, bytes_of(context),
      context.size(), nonce, key_.data());
  if (opened != 0) return refused;
  return text;
}

Result<std::unique_ptr<Signer>> Signer::create(std::string_view secret) {
  static_assert(crypto_auth_KEYBYTES == sizeof(key_));
  if (!is_ready()) return no_random();
  std::unique_ptr<Signer> signer(new Signer);
  if (secret.empty()) {
    crypto_auth_keygen(signer->key_.data());
  } else {
    crypto_generichash(signer->key_.data(), signer->key_.size(), bytes_of(secret), secret.size(), nullptr, 0);
  }
  return signer;
}

Signer::~Signer() { sodium_memzero(key_.data(), key_.size()); }

std::string Signer::sign(std::string_view text) const {
  std::string mark(crypto_auth_BYTES, '\0');
  crypto_auth(bytes_of(mark), bytes_of(text), text.size(), key_.data());
  return hex(mark);
}

bool Signer::is_valid_signature(std::string_view text, std::string_view signature) const {
  return constant_time_equal(sign(text), signature);
}

Result<std::string> random_bytes(std::size_t bytes) {
  if (!is_ready()) return no_random();
  std::string secret(bytes, '\0');
  randombytes_buf(secret.data(), secret.size());
  return secret;
}

std::array<std::uint8_t, 8> checksum(std::string_view bytes) {
  constexpr std::array<unsigned char, crypto_shorthash_siphash24_KEYBYTES> key{};
  std::array<std::uint8_t, crypto_shorthash_siphash24_BYTES> sum;
  crypto_shorthash_siphash24(sum.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                             key.data());
  return sum;
}

struct Digest::State {
  crypto_generichash_state hash;
};

void Digest::Free::operator()(State* state) const { delete state; }

Digest::Digest() : state_(new State) { crypto_generichash_init(&state_->hash, nullptr, 0, digest_bytes); }

Digest& Digest::add(std::string_view part) {
  const std::uint64_t size = part.size();
  crypto_generichash_update(&state_->hash, reinterpret_cast<const unsigned char*>(&size), sizeof(size));
  crypto_generichash_update(&state_->hash, bytes_of(part), part.size());
  return *this;
}

std::string Digest::bytes() {
  std::string digest(digest_bytes, '\0');
  crypto_generichash_final(&state_->hash, bytes_of(digest), digest.size());
  return digest;
}

bool constant_time_equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace snapgen
