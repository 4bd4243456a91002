#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "tools/engine/base/hash.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace snapgen::core {
namespace {

// Sixteen messages are hashed at once, each in one lane of the vector registers (AVX-512). For short messages
// this is six times as fast as hashing them in turn without SHA instructions, and twice as fast as with them.
//
// HashLanes contains the states of sixteen independent hashes. One thread uses it at a time.
class HashLanes {
 public:
  static constexpr std::size_t lane_count = 16;
  static constexpr std::size_t block_bytes = 64;

  // Resets the lane to the start of a message.
  void restart(std::size_t lane);

  // Hashes `blocks` blocks of every lane; `data` points to them. Requires has_hash_lanes().
  void hash_blocks(const std::array<const std::uint8_t*, lane_count>& data, std::size_t blocks);

  std::array<std::uint8_t, 32> digest(std::size_t lane) const;

 private:
  alignas(
      64) std::array<std::array<std::uint32_t, lane_count>, 8> state_{};  // Indexed by word, then by lane.
};

// The constants are from FIPS 180-4, sections 4.2.2 and 5.3.3.
constexpr std::array<std::uint32_t, 8> initial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

void HashLanes::restart(std::size_t lane) {
  for (std::size_t word = 0; word < initial.size(); ++word) state_[word][lane] = initial[word];
}

std::array<std::uint8_t, 32> HashLanes::digest(std::size_t lane) const {
  std::array<std::uint8_t, 32> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::uint8_t>(state_[i / 4][lane] >> (24 - 8 * (i % 4)));
  return out;
}

#if defined(__x86_64__)

// Returns true if the processor and the operating system support the instructions (AVX-512).
bool has_hash_lanes() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  return has;
}

// Returns the smallest number of busy lanes for which the lanes are faster than hashing the messages in turn.
std::size_t busy_lanes_min() {
  static const std::size_t lanes = [] {
    constexpr unsigned sha_instructions = 1u << 29;  // A bit of EBX in CPUID leaf 7.
    unsigned a = 0, b = 0, c = 0, d = 0;
    bool has = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha_instructions) != 0;
    return has ? std::size_t{9} : std::size_t{3};
  }();
  return lanes;
}

#define SNAPGEN_LANES [[gnu::target("avx512f,avx512bw")]]

constexpr std::array<std::uint32_t, 64> constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr int even_quarters = 0x88;  // Selectors of _mm512_shuffle_i32x4.
constexpr int odd_quarters = 0xdd;
constexpr int exclusive_or = 0x96;  // Truth tables of _mm512_ternarylogic_epi32.
constexpr int choice = 0xca;
constexpr int majority = 0xe8;

// Loads one block of every lane, so that words[i] contains word i of all lanes.
SNAPGEN_LANES inline void load_words(const std::array<const std::uint8_t*, 16>& data, std::size_t offset,
                                     __m512i (&words)[16]) {
  const __m512i swap = _mm512_set4_epi32(0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203);
  __m512i rows[16];
  __m512i pairs[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) rows[i] = _mm512_shuffle_epi8(_mm512_loadu_si512(data[i] + offset), swap);
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    rows[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
    rows[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
    rows[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    rows[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
  // Quarter q of rows[4 * g + c] now contains word 4 * q + c of the lanes from 4 * g on.
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    __m512i low = _mm512_shuffle_i32x4(rows[i], rows[4 + i], even_quarters);
    __m512i high = _mm512_shuffle_i32x4(rows[8 + i], rows[12 + i], even_quarters);
    words[i] = _mm512_shuffle_i32x4(low, high, even_quarters);
    words[8 + i] = _mm512_shuffle_i32x4(low, high, odd_quarters);
    low = _mm512_shuffle_i32x4(rows[i], rows[4 + i], odd_quarters);
    high = _mm512_shuffle_i32x4(rows[8 + i], rows[12 + i], odd_quarters);
    words[4 + i] = _mm512_shuffle_i32x4(low, high, even_quarters);
    words[12 + i] = _mm512_shuffle_i32x4(low, high, odd_quarters);
  }
}

SNAPGEN_LANES inline __m512i big_sigma_0(__m512i x) {
  return _mm512_ternarylogic_epi32(_mm512_ror_epi32(x, 2), _mm512_ror_epi32(x, 13), _mm512_ror_epi32(x, 22),
                                   exclusive_or);
}
SNAPGEN_LANES inline __m512i big_sigma_1(__m512i x) {
  return _mm512_ternarylogic_epi32(_mm512_ror_epi32(x, 6), _mm512_ror_epi32(x, 11), _mm512_ror_epi32(x, 25),
                                   exclusive_or);
}
SNAPGEN_LANES inline __m512i small_sigma_0(__m512i x) {
  return _mm512_ternarylogic_epi32(_mm512_ror_epi32(x, 7), _mm512_ror_epi32(x, 18), _mm512_srli_epi32(x, 3),
                                   exclusive_or);
}
SNAPGEN_LANES inline __m512i small_sigma_1(__m512i x) {
  return _mm512_ternarylogic_epi32(_mm512_ror_epi32(x, 17), _mm512_ror_epi32(x, 19), _mm512_srli_epi32(x, 10),
                                   exclusive_or);
}

SNAPGEN_LANES void take_blocks(std::array<std::array<std::uint32_t, 16>, 8>& state,
                               const std::array<const std::uint8_t*, 16>& data, std::size_t blocks) {
  __m512i sum[8];
  for (int i = 0; i < 8; ++i) sum[i] = _mm512_load_si512(state[i].data());
  for (std::size_t block = 0; block < blocks; ++block) {
    __m512i w[16];
    load_words(data, block * HashLanes::block_bytes, w);
    __m512i s[8];
    for (int i = 0; i < 8; ++i) s[i] = sum[i];
    for (int sixteen = 0; sixteen < 64; sixteen += 16) {
      // Each round renames the eight variables instead of moving their values.
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) {
        __m512i &a = s[(16 - i) & 7], &b = s[(17 - i) & 7], &c = s[(18 - i) & 7], &d = s[(19 - i) & 7];
        __m512i &e = s[(20 - i) & 7], &f = s[(21 - i) & 7], &g = s[(22 - i) & 7], &h = s[(23 - i) & 7];
        if (sixteen > 0) {
          __m512i more = _mm512_add_epi32(small_sigma_0(w[(i + 1) & 15]), small_sigma_1(w[(i + 14) & 15]));
          w[i] = _mm512_add_epi32(_mm512_add_epi32(w[i], w[(i + 9) & 15]), more);
        }
        __m512i key = _mm512_set1_epi32(static_cast<int>(constants[sixteen + i]));
        __m512i one = _mm512_add_epi32(_mm512_add_epi32(h, key), _mm512_add_epi32(w[i], big_sigma_1(e)));
        one = _mm512_add_epi32(one, _mm512_ternarylogic_epi32(e, f, g, choice));
        __m512i two = _mm512_add_epi32(big_sigma_0(a), _mm512_ternarylogic_epi32(a, b, c, majority));
        d = _mm512_add_epi32(d, one);
        h = _mm512_add_epi32(one, two);
      }
    }
    for (int i = 0; i < 8; ++i) sum[i] = _mm512_add_epi32(sum[i], s[i]);
  }
  for (int i = 0; i < 8; ++i) _mm512_store_si512(state[i].data(), sum[i]);
}

#undef SNAPGEN_LANES

void HashLanes::hash_blocks(const std::array<const std::uint8_t*, lane_count>& data, std::size_t blocks) {
  take_blocks(state_, data, blocks);
}

#else

bool has_hash_lanes() { return false; }

std::size_t busy_lanes_min() { return HashLanes::lane_count; }

void HashLanes::hash_blocks(const std::array<const std::uint8_t*, lane_count>&, std::size_t) { std::abort(); }

#endif

constexpr std::size_t block_bytes = HashLanes::block_bytes;

std::size_t blocks_of(std::string_view message) {
  return (message.size() + sizeof(std::uint64_t)) / block_bytes + 1;
}

// LaneQueue hashes messages one after another in each lane. It passes each message in two pieces: its whole
// blocks without a copy, and then the rest with its padding.
class LaneQueue {
 public:
  // `order` contains the indexes of the messages to hash. The arguments must outlive this object.
  LaneQueue(std::span<const std::string_view> messages, std::span<const std::size_t> order,
            std::vector<Sha256::Digest>& digests)
      : messages_(messages), order_(order), digests_(digests) {}

  void run() {
    for (std::size_t i = 0; i < HashLanes::lane_count; ++i) begin_next(i);
    while (const Lane* shortest = find_shortest()) {
      std::array<const std::uint8_t*, HashLanes::lane_count> data;
      // An empty lane hashes the data of another one; its result is not used.
      for (std::size_t i = 0; i < HashLanes::lane_count; ++i)
        data[i] = lanes_[i].blocks > 0 ? lanes_[i].at : shortest->at;
      std::size_t blocks = shortest->blocks;
      hashes_.hash_blocks(data, blocks);
      for (std::size_t i = 0; i < HashLanes::lane_count; ++i) advance(i, blocks);
    }
  }

 private:
  struct Lane {
    const std::uint8_t* at = nullptr;
    std::size_t blocks = 0;  // The blocks of this piece that are left; 0 if the lane has none.
    bool is_last = false;    // True if the piece ends its message.
    std::size_t message = 0;
    std::array<std::uint8_t, 2 * block_bytes> rest;
  };

  const Lane* find_shortest() const {
    const Lane* shortest = nullptr;
    for (const Lane& lane : lanes_) {
      if (lane.blocks > 0 && (shortest == nullptr || lane.blocks < shortest->blocks)) shortest = &lane;
    }
    return shortest;
  }

  void begin_next(std::size_t number) {
    Lane& lane = lanes_[number];
    if (next_ == order_.size()) return;
    lane.message = order_[next_++];
    hashes_.restart(number);
    std::string_view message = messages_[lane.message];
    lane.at = reinterpret_cast<const std::uint8_t*>(message.data());
    lane.blocks = message.size() / block_bytes;
    lane.is_last = false;
    if (lane.blocks == 0) begin_rest(lane);
  }

  void begin_rest(Lane& lane) {
    std::string_view message = messages_[lane.message];
    std::string_view rest = message.substr(message.size() / block_bytes * block_bytes);
    lane.rest.fill(0);
    std::copy(rest.begin(), rest.end(), lane.rest.begin());
    lane.rest[rest.size()] = 0x80;
    lane.blocks = blocks_of(rest);
    std::uint64_t bits = std::uint64_t{message.size()} * 8;
    for (std::size_t i = 1; i <= sizeof bits; ++i, bits >>= 8)
      lane.rest[lane.blocks * block_bytes - i] = static_cast<std::uint8_t>(bits);
    lane.at = lane.rest.data();
    lane.is_last = true;
  }

  void advance(std::size_t number, std::size_t blocks) {
    Lane& lane = lanes_[number];
    if (lane.blocks == 0) return;
    lane.blocks -= blocks;
    lane.at += blocks * block_bytes;
    if (lane.blocks > 0) return;
    if (!lane.is_last) return begin_rest(lane);
    digests_[lane.message] = hashes_.digest(number);
    begin_next(number);
  }

  std::span<const std::string_view> messages_;
  std::span<const std::size_t> order_;
  std::vector<Sha256::Digest>& digests_;
  HashLanes hashes_;
  std::array<Lane, HashLanes::lane_count> lanes_;
  std::size_t next_ = 0;
};

}  // namespace

// The longest messages are hashed first, so that the lanes end at about the same time. A message so long that
// most lanes would wait for it is hashed alone.
std::vector<Sha256::Digest> sha256_of_each(std::span<const std::string_view> messages) {
  std::vector<Sha256::Digest> digests(messages.size());
  std::vector<std::size_t> order(messages.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return messages[a].size() != messages[b].size() ? messages[a].size() > messages[b].size() : a < b;
  });
  std::size_t blocks = 0;
  for (std::string_view message : messages) blocks += blocks_of(message);
  std::size_t alone = 0;
  std::size_t lanes_min = has_hash_lanes() ? busy_lanes_min() : order.size() + 1;
  for (; alone < order.size() && blocks_of(messages[order[alone]]) * lanes_min > blocks; ++alone) {
    digests[order[alone]] = sha256(messages[order[alone]]);
    blocks -= blocks_of(messages[order[alone]]);
  }
  LaneQueue(messages, std::span(order).subspan(alone), digests).run();
  return digests;
}

}  // namespace snapgen::core
