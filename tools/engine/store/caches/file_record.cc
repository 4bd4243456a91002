#include "tools/engine/store/caches/file_record.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "runtime/seal/seal.h"
#include "tools/engine/store/blobs/integers.h"

namespace snapgen::core {
namespace {

// The precision of file times. Kernels use the time of the last tick (at most 10 ms ago); some file systems
// store only (even) seconds.
constexpr std::int64_t tick_ns = 20'000'000;
constexpr std::int64_t coarse_ns = 2'000'000'000;
constexpr std::int64_t second_ns = 1'000'000'000;

constexpr std::uint32_t batch_magic = 0x32746142;  // "Bat2"
constexpr std::size_t batch_header_bytes = 20;     // magic, kind, length, check

template <class T>
bool take_value(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof value) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

// Fills in the header of a batch. `out` begins with space for it, followed by the payload.
void put_header(std::string& out, BatchKind kind) {
  std::string_view payload = std::string_view(out).substr(batch_header_bytes);
  std::string header;
  append_integer(header, batch_magic);
  append_integer(header, static_cast<std::uint32_t>(kind));
  append_integer(header, static_cast<std::uint32_t>(payload.size()));
  header += bytes_of(checksum(payload));
  std::memcpy(out.data(), header.data(), batch_header_bytes);
}

}  // namespace

bool is_racy(const FileStat& stat, std::int64_t seen_ns) {
  std::int64_t newest = std::max(stat.mtime_ns, stat.ctime_ns);
  bool coarse = stat.mtime_ns % second_ns == 0 && stat.ctime_ns % second_ns == 0;
  return newest + (coarse ? coarse_ns : tick_ns) >= seen_ns;
}

std::int64_t now_ns() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::string encoded_batch(BatchKind kind, std::string_view payload) {
  std::string out;
  out.reserve(batch_header_bytes + payload.size());
  out.resize(batch_header_bytes);
  out += payload;
  put_header(out, kind);
  return out;
}

std::string encoded_records(const std::vector<FileRecord>& records) {
  RecordBatch batch;
  for (const FileRecord& record : records) batch.add(record);
  return std::move(batch).finish();
}

RecordBatch::RecordBatch() : out_(batch_header_bytes, '\0') {}

void RecordBatch::add(std::string_view path, const FileStat& stat, std::int64_t seen_ns,
                      const std::optional<BlobId>& blob) {
  append_integer(out_, static_cast<std::uint32_t>(path.size()));
  append_integer(out_, static_cast<std::uint8_t>(blob.has_value()));
  append_integer(out_, stat.size);
  append_integer(out_, stat.mtime_ns);
  append_integer(out_, stat.ctime_ns);
  append_integer(out_, stat.inode);
  append_integer(out_, stat.device);
  append_integer(out_, stat.mode);
  append_integer(out_, seen_ns);
  if (blob) out_ += bytes_of(blob->digest);
  out_ += path;
}

std::string RecordBatch::finish() && {
  put_header(out_, BatchKind::records);
  return std::move(out_);
}

std::optional<RecordView> next_record(std::string_view& payload) {
  std::string_view bytes = payload;
  RecordView record;
  std::uint32_t path_bytes = 0;
  std::uint8_t has_blob = 0;
  FileStat& stat = record.stat;
  if (!take_value(bytes, path_bytes) || !take_value(bytes, has_blob) || !take_value(bytes, stat.size) ||
      !take_value(bytes, stat.mtime_ns) || !take_value(bytes, stat.ctime_ns) ||
      !take_value(bytes, stat.inode) || !take_value(bytes, stat.device) || !take_value(bytes, stat.mode) ||
      !take_value(bytes, record.seen_ns)) {
    return std::nullopt;
  }
  if (has_blob != 0) {
    record.blob.emplace();
    if (!take_value(bytes, record.blob->digest)) return std::nullopt;
  }
  if (bytes.size() < path_bytes) return std::nullopt;
  record.path = bytes.substr(0, path_bytes);
  bytes.remove_prefix(path_bytes);
  record.encoded = payload.substr(0, payload.size() - bytes.size());
  payload = bytes;
  return record;
}

std::optional<Batch> next_batch(std::string_view& bytes) {
  std::string_view rest = bytes;
  std::uint32_t magic = 0;
  std::uint32_t kind = 0;
  std::uint32_t length = 0;
  std::array<std::uint8_t, 8> check{};
  if (!take_value(rest, magic) || !take_value(rest, kind) || !take_value(rest, length) ||
      !take_value(rest, check))
    return std::nullopt;
  if (magic != batch_magic || rest.size() < length) return std::nullopt;
  std::string_view payload = rest.substr(0, length);
  if (checksum(payload) != check) return std::nullopt;
  constexpr std::array kinds = {BatchKind::text, BatchKind::records, BatchKind::listed, BatchKind::filters,
                                BatchKind::issued};
  const auto known = std::find_if(kinds.begin(), kinds.end(),
                                  [&](BatchKind one) { return kind == static_cast<std::uint32_t>(one); });
  if (known == kinds.end()) return std::nullopt;
  bytes = rest.substr(length);
  return Batch{.kind = *known, .payload = payload};
}

std::optional<std::vector<FileRecord>> records_of(const Batch& batch) {
  if (batch.kind != BatchKind::records) return std::nullopt;
  std::vector<FileRecord> records;
  std::string_view rest = batch.payload;
  while (!rest.empty()) {
    std::optional<RecordView> record = next_record(rest);
    if (!record) return std::nullopt;
    records.push_back(FileRecord{.path = std::string(record->path),
                                 .stat = record->stat,
                                 .seen_ns = record->seen_ns,
                                 .blob = record->blob});
  }
  return records;
}

}  // namespace snapgen::core
