#include "tools/engine/store/blobs/large_blob.h"

#include <algorithm>
#include <string>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/codec.h"

namespace snapgen::core {
namespace {

constexpr std::uint64_t packed_bytes_max = 4 << 20;

class LargeBlob final : public ByteSource {
 public:
  LargeBlob(std::shared_ptr<const Segment> segment, const RecordHeader& header, std::uint64_t offset)
      : segment_(std::move(segment)), header_(header), offset_(offset), at_(offset + record_header_bytes) {}

  Result<std::string_view> next() override {
    piece_.clear();
    while (piece_.empty() && given_ < header_.raw_bytes) {
      if (stored_.empty()) {
        TRY(refill());
      }
      if (header_.codec == Codec::raw) {
        piece_ = stored_;
        stored_ = {};
      } else {
        Result<Unit> done = decompressor_.decompress(stored_, piece_, piece_bytes);
        if (!done) return damaged_record_error(header_.id, segment_->name(), offset_, done.error().message);
      }
      given_ += piece_.size();
    }
    hasher_.update(piece_);
    if (piece_.empty() && (given_ != header_.raw_bytes || hasher_.digest() != header_.id.digest)) {
      return damaged_record_error(header_.id, segment_->name(), offset_, "its content has another hash");
    }
    return std::string_view(piece_);
  }

 private:
  Result<Unit> refill() {
    std::uint64_t left = offset_ + record_header_bytes + header_.stored_bytes - at_;
    if (left == 0)
      return damaged_record_error(header_.id, segment_->name(), offset_, "its content ends early");
    buffer_.resize(std::min<std::uint64_t>(left, piece_bytes));
    Result<Unit> got = read_at(segment_->fd(), buffer_.data(), buffer_.size(), at_);
    if (!got) return damaged_record_error(header_.id, segment_->name(), offset_, got.error().message);
    at_ += buffer_.size();
    stored_ = buffer_;
    return Unit{};
  }

  std::shared_ptr<const Segment> segment_;  // Remains readable even if the file is removed.
  RecordHeader header_;
  std::uint64_t offset_;
  std::uint64_t at_;
  std::uint64_t given_ = 0;
  std::string buffer_;
  std::string_view stored_;
  std::string piece_;
  StreamDecompressor decompressor_;
  Sha256 hasher_;
};

// Reads a file from beginning to end and hashes it.
class HashingReader {
 public:
  HashingReader(int fd, std::uint64_t size, const std::stop_token& stop)
      : fd_(fd), size_(size), stop_(stop) {}

  // The number of bytes that were returned.
  std::uint64_t at() const { return at_; }
  bool at_end() const { return at_ == size_; }
  BlobId id() { return BlobId{.digest = hasher_.digest()}; }

  // Returns the next piece, valid until the next call. Must not be called at the end. Errors: cancelled;
  // repo_changed.
  Result<std::string_view> next() {
    if (stop_.stop_requested()) return cancelled_call_error();
    piece_.resize(std::min<std::uint64_t>(piece_bytes, size_ - at_));
    if (!read_at(fd_, piece_.data(), piece_.size(), at_)) {
      return Error(ErrorCode::repo_changed, "A file became shorter while it was read; try again.");
    }
    hasher_.update(piece_);
    at_ += piece_.size();
    return std::string_view(piece_);
  }

 private:
  int fd_;
  std::uint64_t size_;
  const std::stop_token& stop_;
  std::uint64_t at_ = 0;
  std::string piece_;
  Sha256 hasher_;
};

}  // namespace

Result<BlobId> hash_large_file(int fd, std::uint64_t size, const std::stop_token& stop) {
  HashingReader pieces(fd, size, stop);
  while (!pieces.at_end()) {
    TRY(pieces.next());
  }
  return pieces.id();
}

Result<std::optional<CompressedFile>> compress_large_file(int fd, std::uint64_t size,
                                                          const std::stop_token& stop) {
  constexpr std::uint64_t hopeless = 32;  // A file that must shrink to less than 1/32 is not tried.
  CompressedFile packed;
  if (size / hopeless > packed_bytes_max) return std::optional<CompressedFile>();
  StreamCompressor compressor(size);
  HashingReader pieces(fd, size, stop);
  while (!pieces.at_end()) {
    std::string_view piece = TRY(pieces.next());
    TRY(compressor.add(piece, packed.stored, pieces.at_end()));
    bool shrinks = packed.stored.size() <= pieces.at() / 4 * 3 + piece_bytes;
    if (!shrinks || packed.stored.size() > packed_bytes_max) return std::optional<CompressedFile>();
  }
  packed.id = pieces.id();
  return std::optional(std::move(packed));
}

Result<RecordHeader> write_large_file(int segment, std::uint64_t offset, const LargeFile& file,
                                      const std::stop_token& stop) {
  auto [fd, size, id] = file;
  std::string sample(std::min<std::uint64_t>(piece_bytes, size), '\0');
  std::string stored;
  TRY(read_at(fd, sample.data(), sample.size(), (size - sample.size()) / 2));
  RecordHeader header{.codec = compress(sample, stored), .raw_bytes = size, .stored_bytes = 0, .id = id};
  std::uint64_t at = offset + record_header_bytes;
  StreamCompressor compressor(size);
  HashingReader pieces(fd, size, stop);
  while (!pieces.at_end()) {
    std::string_view piece = TRY(pieces.next());
    stored.clear();
    TRY(header.codec == Codec::raw ? Result<Unit>(Unit{}) : compressor.add(piece, stored, pieces.at_end()));
    std::string_view bytes = header.codec == Codec::raw ? piece : std::string_view(stored);
    TRY(write_at(segment, bytes, at));
    at += bytes.size();
  }
  if (pieces.id() != id)
    return Error(ErrorCode::repo_changed, "A file changed while it was read; try again.");
  header.stored_bytes = at - offset - record_header_bytes;
  TRY(write_at(segment, header.encoded(), offset));
  return header;
}

std::unique_ptr<ByteSource> open_large_blob(std::shared_ptr<const Segment> segment,
                                            const RecordHeader& header, std::uint64_t offset) {
  return std::make_unique<LargeBlob>(std::move(segment), header, offset);
}

}  // namespace snapgen::core
