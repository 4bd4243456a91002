#include <algorithm>
#include <bit>
#include <cstring>

#include "tools/engine/git/repository/index.h"

namespace snapgen::core::git {
namespace {

constexpr std::size_t fixed_bytes = 40;            // The ten numbers before the id.
constexpr std::size_t bitmap_bits_max = 1u << 26;  // Maximum number of entries of a shared index.
constexpr int tree_depth_max = 4096;               // Maximum depth: one level per path component.
constexpr std::uint16_t flag_assume_unchanged = 0x8000, flag_extended = 0x4000, name_mask = 0x0fff;
constexpr std::uint16_t flag_skip_worktree = 0x4000, flag_intent_to_add = 0x2000;

std::uint32_t be32(const char* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, 4);
  return __builtin_bswap32(value);
}

std::uint16_t be16(const char* at) {
  std::uint16_t value = 0;
  std::memcpy(&value, at, 2);
  return __builtin_bswap16(value);
}

void append_be32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

void append_be16(std::string& out, std::uint32_t value) {
  for (int shift = 8; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

bool is_extended(const IndexEntry& entry) { return entry.skip_worktree || entry.intent_to_add; }

// Decodes the offset encoding of version 4. Returns false at the end of the bytes.
bool read_varint(std::string_view in, std::size_t& at, std::size_t& value) {
  value = 0;
  for (int i = 0; i < 9; ++i) {
    if (at >= in.size()) return false;
    const auto c = static_cast<unsigned char>(in[at++]);
    value = (value << 7) + (c & 127);
    if ((c & 128) == 0) return true;
    ++value;
  }
  return false;
}

bool read_number(std::string_view in, std::size_t& at, char end, std::int64_t& value) {
  const bool negative = at < in.size() && in[at] == '-';
  if (negative) ++at;
  value = 0;
  const std::size_t begin = at;
  for (; at < in.size() && in[at] >= '0' && in[at] <= '9'; ++at) {
    if (at - begin > 12) return false;
    value = value * 10 + (in[at] - '0');
  }
  if (at == begin || at >= in.size() || in[at] != end) return false;
  ++at;
  if (negative) value = -value;
  return true;
}

bool read_tree(std::string_view in, std::size_t& at, std::size_t oid_bytes, int depth, CachedTree& out) {
  const std::size_t end = in.find('\0', at);
  if (end == std::string_view::npos || depth > tree_depth_max) return false;
  out.name = in.substr(at, end - at);
  at = end + 1;
  std::int64_t children = 0;
  if (!read_number(in, at, ' ', out.entry_count) || !read_number(in, at, '\n', children)) return false;
  if (children < 0 || static_cast<std::uint64_t>(children) > in.size()) return false;
  if (out.entry_count >= 0) {
    if (in.size() - at < oid_bytes) return false;
    out.oid = Oid::from_bytes(in.substr(at, oid_bytes));
    at += oid_bytes;
  }
  out.children.resize(static_cast<std::size_t>(children));
  for (CachedTree& child : out.children) {
    if (!read_tree(in, at, oid_bytes, depth + 1, child)) return false;
  }
  return true;
}

// Decodes an EWAH bitmap (gitformat-index(5), "Split index"): runs of equal and of literal words.
bool read_bitmap(std::string_view in, std::size_t& at, std::vector<bool>& out) {
  constexpr std::size_t head_bytes = 8, word_bytes = 8, position_bytes = 4;
  if (in.size() - at < head_bytes) return false;
  const std::size_t bits = be32(in.data() + at);
  const std::size_t words = be32(in.data() + at + 4);
  at += head_bytes;
  if (in.size() - at < position_bytes || words > (in.size() - at - position_bytes) / word_bytes) return false;
  if (bits > bitmap_bits_max) return false;
  const auto word = [&](std::size_t i) {
    return std::uint64_t{be32(in.data() + at + i * word_bytes)} << 32 |
           be32(in.data() + at + i * word_bytes + 4);
  };
  out.assign(bits, false);
  std::size_t bit = 0;
  for (std::size_t i = 0; i < words;) {
    const std::uint64_t marker = word(i++);
    const bool value = (marker & 1) != 0;
    const std::uint64_t run_words = (marker >> 1) & 0xffffffff;
    std::uint64_t literals = marker >> 33;
    const std::size_t run_end = std::min<std::uint64_t>(bits, bit + run_words * 64);
    for (; bit < run_end; ++bit) out[bit] = value;
    for (; literals > 0 && i < words; --literals, ++i) {
      for (std::uint64_t rest = word(i); rest != 0; rest &= rest - 1) {
        const std::size_t position = bit + static_cast<std::size_t>(std::countr_zero(rest));
        if (position < bits) out[position] = true;
      }
      bit += 64;
    }
    if (literals > 0) return false;
  }
  at += words * word_bytes + position_bytes;
  return true;
}

bool read_link(std::string_view in, std::size_t oid_bytes, IndexLink& out) {
  if (in.size() < oid_bytes) return false;
  out.shared_index_oid = Oid::from_bytes(in.substr(0, oid_bytes));
  std::size_t at = oid_bytes;
  if (at == in.size()) return true;
  return read_bitmap(in, at, out.deleted_bitmap) && read_bitmap(in, at, out.replaced_bitmap);
}

class Parser {
 public:
  Parser(std::string bytes, const FileStat& stat, HashKind kind)
      : out_(stat, kind), oid_bytes_(digest_size(kind)), in_(out_.copy_bytes(std::move(bytes))) {
    out_.set_source_bytes(in_);
  }

  ParsedIndex run() {
    const std::string problem = parse();
    if (!problem.empty()) out_.set_fallback_reason(problem);
    return {.index = out_.finish(), .link = std::move(link_), .replacements = std::move(nameless_)};
  }

 private:
  std::string parse() {
    if (in_.size() < 12 + oid_bytes_ || !in_.starts_with("DIRC")) return "the index is damaged";
    in_.remove_suffix(oid_bytes_);  // The checksum, which git ignores too.
    version_ = be32(in_.data() + 4);
    if (version_ < 2 || version_ > 4) return "the index has an unknown version";
    at_ = 12;
    if (!parse_entries(be32(in_.data() + 8))) return "the index is damaged";
    if (std::string problem = parse_extensions(); !problem.empty()) return problem;
    if (!link_ && !nameless_.empty()) return "the index is damaged";
    return {};
  }

  bool parse_entries(std::uint32_t count) {
    const std::size_t entry_bytes_min = fixed_bytes + oid_bytes_ + 2 + 1;
    if (count > in_.size() / entry_bytes_min) return false;
    out_.reserve(count);
    std::string_view previous_path;
    for (std::uint32_t i = 0; i < count; ++i) {
      IndexEntry entry;
      if (in_.size() - at_ < entry_bytes_min || !parse_entry(previous_path, entry)) return false;
      previous_path = entry.path;
      // In a split index, entries that replace others come first and have no name.
      if (entry.path.empty()) {
        nameless_.push_back(entry);
      } else if (!out_.add(entry)) {
        return false;
      }
    }
    return true;
  }

  bool parse_entry(std::string_view previous_path, IndexEntry& entry) {
    const std::size_t begin = at_;
    const char* const p = in_.data() + at_;
    entry.ctime_s = be32(p);
    entry.ctime_ns = be32(p + 4);
    entry.mtime_s = be32(p + 8);
    entry.mtime_ns = be32(p + 12);
    entry.device = be32(p + 16);
    entry.inode = be32(p + 20);
    entry.mode = be32(p + 24);
    entry.uid = be32(p + 28);
    entry.gid = be32(p + 32);
    entry.size = be32(p + 36);
    entry.oid = in_.substr(at_ + fixed_bytes, oid_bytes_);
    const std::uint16_t flags = be16(p + fixed_bytes + oid_bytes_);
    at_ += fixed_bytes + oid_bytes_ + 2;
    entry.assume_unchanged = (flags & flag_assume_unchanged) != 0;
    entry.stage = static_cast<std::uint8_t>((flags >> 12) & 3);
    if ((flags & flag_extended) != 0) {
      if (version_ < 3 || in_.size() - at_ < 3) return false;
      const std::uint16_t extended = be16(in_.data() + at_);
      at_ += 2;
      if ((extended & ~(flag_skip_worktree | flag_intent_to_add)) != 0) return false;
      entry.skip_worktree = (extended & flag_skip_worktree) != 0;
      entry.intent_to_add = (extended & flag_intent_to_add) != 0;
    }
    std::size_t stripped = 0;
    if (version_ == 4 && (!read_varint(in_, at_, stripped) || stripped > previous_path.size())) return false;
    const std::size_t end = in_.find('\0', at_);
    if (end == std::string_view::npos) return false;
    const std::string_view tail = in_.substr(at_, end - at_);
    if (version_ == 4) {
      entry.path = out_.copy_bytes(previous_path.substr(0, previous_path.size() - stripped), tail);
      at_ = end + 1;
    } else {
      entry.path = tail;
      // The entry is padded with one to eight NULs to a multiple of eight bytes.
      at_ = begin + ((end - begin + 8) & ~std::size_t{7});
    }
    return at_ <= in_.size() && std::min<std::size_t>(entry.path.size(), name_mask) == (flags & name_mask);
  }

  std::string parse_extensions() {
    while (at_ < in_.size()) {
      if (in_.size() - at_ < 8) return "an extension of the index is damaged";
      const std::string_view name = in_.substr(at_, 4);
      const std::size_t length = be32(in_.data() + at_ + 4);
      at_ += 8;
      if (length > in_.size() - at_) return "an extension of the index is damaged";
      const std::string_view content = in_.substr(at_, length);
      at_ += length;
      if (name == "TREE") {
        std::size_t tree_at = 0;
        CachedTree tree;
        if (!read_tree(content, tree_at, oid_bytes_, 0, tree)) return "an extension of the index is damaged";
        out_.set_tree(std::move(tree));
      } else if (name == "link") {
        if (!read_link(content, oid_bytes_, link_.emplace())) return "an extension of the index is damaged";
      } else if (name != "sdir" && (name[0] < 'A' || name[0] > 'Z')) {
        return "the index has an extension that must be understood";
      }
    }
    return {};
  }

  IndexBuilder out_;
  const std::size_t oid_bytes_;
  std::string_view in_;
  std::size_t at_ = 0;
  std::uint32_t version_ = 0;
  std::vector<IndexEntry> nameless_;
  std::optional<IndexLink> link_;
};

}  // namespace

ParsedIndex parse_index(std::string bytes, const FileStat& stat, HashKind kind) {
  return Parser(std::move(bytes), stat, kind).run();
}

namespace {

void append_index_entry(std::string& out, const IndexEntry& entry) {
  constexpr std::size_t alignment = 8;
  const std::size_t begin = out.size();
  for (const std::uint32_t number : {entry.ctime_s, entry.ctime_ns, entry.mtime_s, entry.mtime_ns,
                                     entry.device, entry.inode, entry.mode, entry.uid, entry.gid, entry.size})
    append_be32(out, number);
  out += entry.oid;
  append_be16(out, (entry.assume_unchanged ? flag_assume_unchanged : 0U) |
                       (is_extended(entry) ? flag_extended : 0U) | std::uint32_t{entry.stage} << 12 |
                       static_cast<std::uint32_t>(std::min<std::size_t>(entry.path.size(), name_mask)));
  if (is_extended(entry))
    append_be16(out, (entry.skip_worktree ? flag_skip_worktree : 0U) |
                         (entry.intent_to_add ? flag_intent_to_add : 0U));
  out += entry.path;
  out.append(alignment - (out.size() - begin) % alignment, '\0');
}

}  // namespace

std::string encoded_index(const std::vector<IndexEntry>& entries, HashKind kind) {
  std::string out = "DIRC";
  append_be32(out, std::ranges::any_of(entries, is_extended) ? 3 : 2);
  append_be32(out, static_cast<std::uint32_t>(entries.size()));
  for (const IndexEntry& entry : entries) append_index_entry(out, entry);
  if (kind == HashKind::sha1) {
    Sha1 hasher;
    hasher.update(out);
    return out.append(bytes_of(hasher.digest()));
  }
  return out.append(bytes_of(sha256(out)));
}

}  // namespace snapgen::core::git
