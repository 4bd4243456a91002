#include "tools/engine/operations/export/bundle.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "runtime/json/writer.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/encoding.h"

namespace snapgen::core {
namespace {

// A string that stores text up to a limit, and only counts bytes beyond it.
class BoundedText {
 public:
  explicit BoundedText(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}

  void add(std::string_view text) {
    size_ += text.size();
    if (size_ > bytes_max_) {
      std::string().swap(bytes_);
    } else {
      bytes_ += text;
    }
  }
  bool fits() const { return size_ <= bytes_max_; }
  std::uint64_t size() const { return size_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::uint64_t bytes_max_;
  std::uint64_t size_ = 0;
  std::string bytes_;
};

}  // namespace

Error too_large_to_export_error(std::uint64_t bytes, std::uint64_t bytes_max, bool at_least) {
  std::string size = std::to_string(bytes);
  std::string message = "The export has " + std::string(at_least ? "more than " : "") + size +
                        " bytes, and max_bytes is " + std::to_string(bytes_max) + ": ";
  if (bytes <= export_bytes_limit && !at_least) {
    message += "pass max_bytes " + size + " or more, or export less with paths.";
  } else {
    message += "export it in parts with paths, " + std::to_string(export_bytes_limit) +
               " bytes at most in one call.";
  }
  return Error(ErrorCode::too_large, std::move(message),
               ErrorDetails().add_json("bytes", size).add_json("max_bytes", std::to_string(bytes_max)));
}

Result<std::string> bundle_of(const ExportSource& files, const Fingerprint& fingerprint,
                              std::uint64_t bytes_max, const std::stop_token& stop) {
  assert(std::ranges::is_sorted(files.entries, {}, &ManifestEntry::path));
  std::map<BlobId, const ManifestEntry*> blobs;  // Each content, with the first file that has it.
  std::uint64_t sum = 0;
  for (const ManifestEntry& entry : files.entries) {
    if (!blobs.try_emplace(entry.blob, &entry).second) continue;
    std::uint64_t size = TRY(files.size_of(entry));
    sum += size;
  }
  // JSON text is never shorter than the contents. Beyond the limit the exact size is not needed.
  if (sum > export_bytes_limit) return too_large_to_export_error(sum, bytes_max, true);

  BoundedText out(bytes_max);
  out.add("{\"blobs\":{");
  std::string piece;
  for (const auto& [blob, entry] : blobs) {
    if (stop.stop_requested()) return cancelled_call_error();
    std::string bytes = TRY(files.read(*entry));
    piece.assign(blob == blobs.begin()->first ? "" : ",");
    json::Writer writer(piece);
    writer.string(blob.text());
    writer.text(":");
    writer.string(text_of_bytes(bytes));
    out.add(piece);
  }
  out.add("},\"fingerprint\":");
  out.add(canonical_json(fingerprint));
  out.add(",\"format\":\"snapgen-bundle/1\",\"manifest\":");
  out.add(manifest_begin);
  bool first = true;
  Result<Unit> done = for_each_chunk(rows_of(files.entries), [&](std::string_view chunk) -> Result<Unit> {
    if (!first) out.add(",");
    first = false;
    out.add(chunk);
    return Unit{};
  });
  if (!done) return std::move(done).error();
  out.add(manifest_end);
  out.add("}");
  if (!out.fits()) return too_large_to_export_error(out.size(), bytes_max, false);
  return out.take();
}

}  // namespace snapgen::core
