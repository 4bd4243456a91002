// Any bytes as files of the store: batches, journals, manifests, compressed blobs, segments with their
// indexes, snapshots, packs of undo snapshots, leases, caches. The first byte selects which. The target
// corrects checksums and hashes, because a program that can write the store can also compute them. The store
// must not crash, use much memory for few bytes, or return another content than the requested one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "tests/fuzz/target.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/path.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/codec.h"
#include "tools/engine/store/blobs/segment.h"
#include "tools/engine/store/blobs/survey.h"
#include "tools/engine/store/caches/stat_cache.h"
#include "tools/engine/store/leases/lease.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/store/snapshots/undo_pack.h"
#include "tools/engine/write/journal.h"
#include "tools/insight/imports/scan_cache.h"

namespace snapgen::core {
namespace {

// The folder of a store, which is emptied before each input.
class Scratch {
 public:
  Scratch() {
    const char* memory = "/dev/shm/snapgen-fuzz-XXXXXX";
    name_ = ::access("/dev/shm", W_OK) == 0 ? memory : "/tmp/snapgen-fuzz-XXXXXX";
    FUZZ_EXPECT(::mkdtemp(name_.data()) != nullptr);
  }
  Scratch(Scratch&&) = delete;
  ~Scratch() { std::filesystem::remove_all(name_); }

  const std::string& empty() const {
    for (const auto& entry : std::filesystem::directory_iterator(name_)) std::filesystem::remove_all(entry);
    return name_;
  }

 private:
  std::string name_;
};

const std::string& scratch() {
  static const Scratch folder;
  return folder.empty();
}

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

template <class T>
T load(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Writes the checksum of bytes[begin, begin + length) after them, as segment.cc does.
void seal(std::string& bytes, std::size_t begin, std::size_t length) {
  const Sha256::Digest digest = sha256(std::string_view(bytes).substr(begin, length));
  std::memcpy(bytes.data() + begin + length, digest.data(), 8);
}

// Writes valid headers for as many records of a segment as the bytes have space for.
std::vector<BlobId> seal_segment(std::string& bytes) {
  std::vector<BlobId> ids;
  for (std::size_t at = segment_header_bytes; bytes.size() - at >= record_header_bytes;) {
    RecordHeader header{.codec = Codec::raw,
                        .raw_bytes = load<std::uint64_t>(bytes, at + 8),
                        .stored_bytes = load<std::uint64_t>(bytes, at + 16),
                        .id = {}};
    if ((bytes[at + 4] & 1) != 0) header.codec = Codec::zstd;
    if ((bytes[at + 4] & 4) != 0) header.codec = Codec::lz4;
    const std::size_t rest = bytes.size() - at - record_header_bytes;
    if (header.stored_bytes > rest) header.stored_bytes %= rest + 1;
    std::memcpy(header.id.digest.data(), bytes.data() + at + 24, 32);
    const std::string_view stored =
        std::string_view(bytes).substr(at + record_header_bytes, header.stored_bytes);
    if ((bytes[at + 4] & 2) != 0) header.id = blob_id_of(stored);
    ids.push_back(header.id);
    bytes.replace(at, record_header_bytes, header.encoded());
    at += record_header_bytes + header.stored_bytes;
    if (at > bytes.size()) break;
  }
  return ids;
}

void use_batches(std::string_view bytes) {
  while (const std::optional<Batch> batch = next_batch(bytes)) {
    if (const auto records = records_of(*batch)) {
      const std::string again = encoded_records(*records);
      std::string_view rest = again;
      const std::optional<Batch> same = next_batch(rest);
      FUZZ_EXPECT(same && rest.empty() && records_of(*same) == records);
    }
  }
}

void use_journal(std::string_view bytes) {
  const auto steps = parse_journal(bytes);
  if (steps) FUZZ_EXPECT(parse_journal(encoded_journal(*steps)) == steps);
}

void use_chunk(std::string_view bytes) {
  std::vector<ManifestEntry> entries;
  if (!read_chunk(bytes, entries)) return;
  FUZZ_EXPECT(std::ranges::is_sorted(entries, std::ranges::less_equal(), &ManifestEntry::path));
  for (const ManifestEntry& entry : entries) {
    const Result<std::string> same = path_from_text(text_of_path(entry.path));
    FUZZ_EXPECT(same && *same == entry.path);
    FUZZ_EXPECT(("/" + entry.path + "/").find("/../") == std::string::npos && !entry.path.starts_with('/'));
  }
}

void use_codec(std::string_view bytes) {
  if (bytes.size() < 8) return;
  const auto raw_size = load<std::uint64_t>(bytes, 0);
  const std::string stored(bytes.substr(8));
  const Result<std::string> whole = decompressed(Codec::zstd, stored, raw_size);
  FUZZ_EXPECT(!whole || whole->size() == raw_size);
  const Result<std::string> quick = decompressed(Codec::lz4, stored, raw_size);
  FUZZ_EXPECT(!quick || quick->size() == raw_size);
  StreamDecompressor stream;
  std::string_view rest = stored;
  std::string out;
  while (!rest.empty()) {
    const std::size_t before = rest.size();
    out.clear();
    if (!stream.decompress(rest, out, 4096)) return;
    FUZZ_EXPECT(out.size() <= 4096);
    if (rest.size() == before && out.empty()) return;
  }
}

// The first two bytes are the number of the other bytes that are the index.
void use_segment(std::string_view bytes) {
  if (bytes.size() < 2) return;
  const std::size_t index_bytes = std::min<std::size_t>(load<std::uint16_t>(bytes, 0), bytes.size() - 2);
  std::string index(bytes.substr(2, index_bytes));
  std::string segment("snapgen segment1");
  segment += bytes.substr(2 + index_bytes);
  std::vector<BlobId> ids = seal_segment(segment);
  if (index.size() >= 48) {
    const bool is_older = index[15] == '1';
    const std::size_t begin = is_older ? 40 : 48;  // the beginning of the entries
    index.replace(0, 16, is_older ? "snapgen index 01" : "snapgen index 02");
    const std::uint64_t check = checksum_of(std::string_view(index).substr(begin));
    if (!is_older) std::memcpy(index.data() + 32, &check, sizeof check);
    seal(index, 0, begin - 8);
    for (std::size_t at = begin; at + 56 <= index.size(); at += 56) {
      std::memcpy(ids.emplace_back().digest.data(), index.data() + at, 32);
    }
  }
  const std::string& folder = scratch();
  write(folder + "/one.seg", segment);
  if (!index.empty()) write(folder + "/one.idx", index);
  Result<SurveyedSegment> surveyed = survey_segment(folder, "one");
  FUZZ_EXPECT(!surveyed || surveyed->bytes == segment.size());
  Result<std::unique_ptr<BlobStore>> store = open_segment_store(folder);
  if (!store) return;
  for (const BlobId& id : ids) {
    static_cast<void>((*store)->contains(id));
    static_cast<void>((*store)->size_of(id));
    const Result<std::string> content = (*store)->get(id);
    FUZZ_EXPECT(!content || blob_id_of(*content) == id);
    Result<std::unique_ptr<ByteSource>> source = (*store)->open(id);
    std::uint64_t given = 0;
    while (source && given < (1 << 20)) {
      const Result<std::string_view> piece = (*source)->next();
      if (!piece || piece->empty()) break;
      given += piece->size();
    }
  }
  const Result<BlobId> put = (*store)->put("what is put is there");
  if (put && (*store)->commit()) {
    const Result<std::string> same = (*store)->get(*put);
    FUZZ_EXPECT(same && *same == "what is put is there");
  }
}

void use_head(std::string_view bytes) {
  const std::string& folder = scratch();
  const std::string hex(64, 'a');
  const std::size_t half = bytes.find('\0');
  write(folder + "/" + hex, bytes.substr(0, half));
  if (half != std::string_view::npos) write(folder + "/" + hex + ".note", bytes.substr(half + 1));
  Result<std::unique_ptr<BlobStore>> blobs = open_segment_store(folder + "/blobs");
  FUZZ_EXPECT(blobs);
  SnapshotStore store(folder, {}, **blobs);
  FUZZ_EXPECT(!store.load("snap_aaaaaaaaaa"));
  const Result<SnapshotNotes> notes = store.list();
  FUZZ_EXPECT(notes && notes->size() == 1);
}

// The bytes as a pack of undo snapshots, and as the header and the note of one in a sound pack.
void use_pack(std::string_view bytes) {
  const std::string hex(64, 'a');
  const std::size_t half = std::min(bytes.find('\0'), bytes.size());
  const std::string line = undo_pack_line(hex, bytes.substr(0, half), bytes.substr(half));
  const bool is_one_line = bytes.find('\n') == std::string_view::npos;
  FUZZ_EXPECT(line.empty() != is_one_line);
  for (const std::string& pack : {std::string(bytes), encoded_undo_pack({line})}) {
    const std::string& folder = scratch();
    std::filesystem::create_directory(folder + "/packs");
    write(folder + "/packs/undos-aaaaaaaaaaaaaaaa.pack", pack);
    Result<std::unique_ptr<BlobStore>> blobs = open_segment_store(folder + "/blobs");
    FUZZ_EXPECT(blobs);
    SnapshotStore store(folder, {}, **blobs);
    const Result<std::vector<std::string>> hexes = store.id_hexes();
    const Result<SnapshotNotes> notes = store.list_all();
    FUZZ_EXPECT(hexes && notes && notes->size() == hexes->size());
    for (const std::string& each : *hexes) static_cast<void>(store.load("sha256:" + each));
    FUZZ_EXPECT(store.remove(*hexes));
    FUZZ_EXPECT(store.id_hexes() && store.id_hexes()->empty());
  }
}

void use_lease(std::string_view bytes) {
  const std::string& folder = scratch();
  const std::string id = "lease_aaaaaaaaaaaaaaaa";
  write(folder + "/" + id, bytes);
  LeaseStore leases(folder);
  const Result<std::shared_ptr<Lease>> lease = leases.use(id);
  if (!lease) return;
  FUZZ_EXPECT(leases.add_touched(**lease, {.records = (*lease)->touched()}));
  LeaseStore others(folder);
  const Result<std::shared_ptr<Lease>> again = others.use(id);
  FUZZ_EXPECT(again && (*again)->touched() == (*lease)->touched());
}

// A lease that refers to a listing, and a lease in a file of issued leases. Half of the bytes are the listing
// or the index, and the other half is the rest of the file.
void use_shared_files(std::string_view bytes) {
  const std::string& folder = scratch();
  const std::string name(16, 'a');
  const std::string_view first = bytes.substr(0, bytes.size() / 2);
  const std::string_view rest = bytes.substr(bytes.size() / 2);
  const std::string base =
      encoded_batch(BatchKind::text, R"({"head_oid":"","index_oid":"","status_hash":"x"})");
  write(folder + "/listing_" + name, encoded_batch(BatchKind::records, first));
  write(folder + "/lease_" + name,
        base + encoded_batch(BatchKind::listed, "listing_" + name + std::string(rest)));
  write(folder + "/issued_" + name, encoded_batch(BatchKind::issued, first) + std::string(rest));
  LeaseStore leases(folder);
  const Result<std::shared_ptr<Lease>> lease = leases.use("lease_" + name);
  if (lease) FUZZ_EXPECT(leases.add_touched(**lease, {.records = (*lease)->touched()}));
  for (std::size_t at = 0; at + 22 <= first.size(); ++at) static_cast<void>(leases.use(first.substr(at, 22)));
}

void use_caches(std::string_view bytes) {
  const std::string& folder = scratch();
  write(folder + "/stats", bytes);
  write(folder + "/imports", bytes);
  StatCache stats(folder);
  FileRecord record{
      .path = "a", .stat = {.size = 1, .mtime_ns = 1, .ctime_ns = 1}, .seen_ns = now_ns(), .blob = BlobId{}};
  record.stat.mode = 0100644;
  for (const std::string_view path : {"a", "b", "a/b"}) static_cast<void>(stats.find(path, record.stat));
  stats.remember({record});
  FUZZ_EXPECT(stats.find("a", record.stat) == record.blob);
  ScanCache scans(folder);
  static_cast<void>(scans.find(Language::javascript, BlobId{}));
  scans.remember(Language::c, BlobId{}, std::make_shared<std::vector<Import>>());
  scans.write_if_due();
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(store) {
  using namespace snapgen::core;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  // The bytes unchanged, and as a batch with a valid checksum.
  const std::string text = encoded_batch(BatchKind::text, bytes);
  const std::string records = encoded_batch(BatchKind::records, bytes);
  switch (data[0] % 11) {
    case 0: use_batches(bytes); break;
    case 1: use_batches(records); break;
    case 2: use_journal(encoded_batch(BatchKind::text, "snapgen-write 1\n" + std::string(bytes))); break;
    case 3: use_chunk(bytes); break;
    case 4: use_codec(bytes); break;
    case 5: use_segment(bytes); break;
    case 6:
      use_head(bytes);
      use_pack(bytes);
      break;
    case 7:
      use_lease(text + records);
      use_shared_files(bytes);
      break;
    case 8: use_lease(bytes); break;
    case 9: use_caches(records); break;
    default: use_caches(encoded_batch(BatchKind::text, "snapgen imports 1\n" + std::string(bytes))); break;
  }
  return 0;
}
