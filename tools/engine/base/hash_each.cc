#include "tools/engine/base/hash_each.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "tools/engine/base/hash_lanes.h"

namespace snapgen::core {
namespace {

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
