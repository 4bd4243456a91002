#include "tools/insight/imports/scan_cache.h"

#include <algorithm>
#include <cstring>

#include "tools/engine/files/durable.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {
namespace {

constexpr std::string_view scans_file_name = "imports";
// The version of the cache file. Change it when a scanner or the format changes: files with another version
// are ignored.
constexpr std::uint64_t scans_bytes_max = 256 << 20;
constexpr std::string_view scans_version = "snapgen imports 7\n";

void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

// ScanCacheReader reads what put_*() wrote. If ok() is false, the values read are meaningless.
class ScanCacheReader {
 public:
  explicit ScanCacheReader(std::string_view bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      if (rest_.empty()) break;
      auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::string_view bytes(std::uint64_t count) {
    if (count > rest_.size()) ok_ = false;
    std::string_view taken = rest_.substr(0, ok_ ? count : 0);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string text() { return std::string(bytes(number())); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

ScannedImports ScanCache::find(Language language, const BlobId& blob) {
  load();
  auto found = entries_.find(Key{.blob = blob, .language = language});
  if (found == entries_.end()) return nullptr;
  found->second.used = true;
  return found->second.scanned;
}

void ScanCache::remember(Language language, const BlobId& blob, ScannedImports scanned) {
  load();
  entries_[Key{.blob = blob, .language = language}] = Entry{.scanned = std::move(scanned), .used = true};
  ++unwritten_;
}

void ScanCache::write_if_due() {
  std::size_t before = entries_.size();
  std::erase_if(entries_, [](const auto& entry) { return !entry.second.used; });
  for (auto& entry : entries_) entry.second.used = false;
  unwritten_ += before - entries_.size();
  // The cache is written if at least a twentieth of its entries is new: scanning so many files again takes as
  // long as writing the whole cache.
  if (unwritten_ == 0 || unwritten_ * 20 < entries_.size() || !make_folders(folder_)) return;
  std::string payload(scans_version);
  for (const auto& [key, entry] : entries_) {
    payload.append(reinterpret_cast<const char*>(key.blob.digest.data()), key.blob.digest.size());
    payload += static_cast<char>(key.language);
    put_varint(payload, entry.scanned->size());
    for (const Import& import : *entry.scanned) {
      put_text(payload, import.name);
      put_text(payload, import.path);
      put_varint(payload, static_cast<std::uint64_t>(import.line));
      payload += static_cast<char>(import.kind);
      put_varint(payload, import.members.size());
      for (const std::string& member : import.members) put_text(payload, member);
    }
  }
  Result<Unit> written = replace_file(folder_, scans_file_name, encoded_batch(BatchKind::text, payload),
                                      Durability::process_crash);
  if (written) unwritten_ = 0;
}

void ScanCache::load() {
  if (std::exchange(loaded_, true)) return;
  Result<std::string> file = read_whole_file(folder_ + "/" + std::string(scans_file_name), scans_bytes_max);
  if (!file) return;
  std::string_view bytes = *file;
  std::optional<Batch> batch = next_batch(bytes);
  if (!batch || !batch->payload.starts_with(scans_version)) return;
  ScanCacheReader in(batch->payload.substr(scans_version.size()));
  while (in.ok() && !in.at_end()) {
    Key key{.blob = {}, .language = Language::none};
    std::string_view digest = in.bytes(key.blob.digest.size());
    if (in.ok()) std::memcpy(key.blob.digest.data(), digest.data(), digest.size());
    key.language = static_cast<Language>(in.number());
    auto imports = std::make_shared<std::vector<Import>>();
    for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
      Import import;
      import.name = in.text();
      import.path = in.text();
      import.line = static_cast<std::int64_t>(in.number());
      import.kind = static_cast<ImportKind>(in.number());
      for (std::uint64_t members = in.number(); members > 0 && in.ok(); --members)
        import.members.push_back(in.text());
      imports->push_back(std::move(import));
    }
    if (in.ok()) entries_.emplace(key, Entry{.scanned = std::move(imports)});
  }
}

}  // namespace snapgen::core
