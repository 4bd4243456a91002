#include <charconv>

#include "tools/engine/git/index.h"

namespace snapgen::core::git {
namespace {

// Parses the numbers of one `--debug` block, in git's order.
bool read_debug(std::string_view in, std::size_t& at, IndexEntry& entry, std::uint32_t& flags) {
  const auto number = [&](std::string_view label, int base, std::uint32_t& out) {
    if (in.substr(at, label.size()) != label) return false;
    at += label.size();
    const auto [end, error] = std::from_chars(in.data() + at, in.data() + in.size(), out, base);
    if (error != std::errc()) return false;
    at = static_cast<std::size_t>(end - in.data());
    return true;
  };
  const bool good = number("  ctime: ", 10, entry.ctime_s) && number(":", 10, entry.ctime_ns) &&
                    number("\n  mtime: ", 10, entry.mtime_s) && number(":", 10, entry.mtime_ns) &&
                    number("\n  dev: ", 10, entry.device) && number("\tino: ", 10, entry.inode) &&
                    number("\n  uid: ", 10, entry.uid) && number("\tgid: ", 10, entry.gid) &&
                    number("\n  size: ", 10, entry.size) && number("\tflags: ", 16, flags);
  if (!good || at >= in.size() || in[at] != '\n') return false;
  ++at;
  return true;
}

}  // namespace

IndexPtr index_from_listing(std::string bytes, const FileStat& stat, HashKind kind) {
  // The bits of flags as git has them in memory: assume-unchanged as in the index file, the extended flags 16
  // bits higher.
  constexpr std::uint32_t skip_worktree = 1u << 30, intent_to_add = 1u << 29, assume_unchanged = 0x8000;
  IndexBuilder out(stat, kind);
  const std::string_view in = out.copy_bytes(std::move(bytes));
  const std::size_t digits = 2 * digest_bytes(kind);
  // A record is "<mode> <oid> <stage>\t<path>\0" and its debug block.
  for (std::size_t at = 0; at < in.size();) {
    IndexEntry entry;
    std::uint32_t flags = 0;
    const std::string_view head = in.substr(at, 6 + 1 + digits + 3);
    const std::size_t end = in.find('\0', at);
    const std::optional<Oid> oid = head.size() > 7 ? Oid::from_hex(head.substr(7, digits)) : std::nullopt;
    bool good = end != std::string_view::npos && oid && head.back() == '\t';
    if (good) {
      std::from_chars(head.data(), head.data() + 6, entry.mode, 8);
      entry.oid = out.copy_bytes(oid->bytes(), "");
      entry.stage = static_cast<std::uint8_t>(head[head.size() - 2] - '0');
      entry.path = in.substr(at + head.size(), end - at - head.size());
      at = end + 1;
      good = read_debug(in, at, entry, flags);
      entry.assume_unchanged = (flags & assume_unchanged) != 0;
      entry.skip_worktree = (flags & skip_worktree) != 0;
      entry.intent_to_add = (flags & intent_to_add) != 0;
    }
    if (!good || !out.add(entry)) {
      out.set_fallback_reason("git listed the index in an unexpected form");
      break;
    }
  }
  return out.finish();
}

}  // namespace snapgen::core::git
