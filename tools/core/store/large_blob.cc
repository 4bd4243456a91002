#include "tools/core/store/large_blob.h"

#include <algorithm>
#include <string>

#include "tools/core/store/codec.h"
#include "tools/core/store/durable.h"

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
        Result<Unit> got = refill();
        if (!got) return std::move(got).error();
      }
      if (header_.codec == Codec::raw) {
        piece_ = stored_;
        stored_ = {};
      } else {
        Result<Unit> done = decompressor_.take(stored_, piece_, piece_bytes);
        if (!done) return damaged(header_.id, segment_->name(), offset_, done.error().message);
      }
      given_ += piece_.size();
    }
    hasher_.update(piece_);
    if (piece_.empty() && (given_ != header_.raw_bytes || hasher_.digest() != header_.id.digest)) {
      return damaged(header_.id, segment_->name(), offset_, "its content has another hash");
    }
    return std::string_view(piece_);
  }

 private:
  Result<Unit> refill() {
    std::uint64_t left = offset_ + record_header_bytes + header_.stored_bytes - at_;
    if (left == 0) return damaged(header_.id, segment_->name(), offset_, "its content ends early");
    buffer_.resize(std::min<std::uint64_t>(left, piece_bytes));
    Result<Unit> got = read_at(segment_->fd(), buffer_.data(), buffer_.size(), at_);
    if (!got) return damaged(header_.id, segment_->name(), offset_, got.error().message);
    at_ += buffer_.size();
    stored_ = buffer_;
    return Unit{};
  }

  std::shared_ptr<const Segment> segment_;  // Open as long as we read, even if it was removed.
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

}  // namespace

Result<BlobId> hash_large(int fd, std::uint64_t size, const std::stop_token& stop) {
  Sha256 hasher;
  std::string piece;
  for (std::uint64_t at = 0; at < size; at += piece.size()) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    piece.resize(std::min<std::uint64_t>(piece_bytes, size - at));
    if (!read_at(fd, piece.data(), piece.size(), at)) {
      return Error(ErrorCode::repo_changed, "A file became shorter while it was read; try again.");
    }
    hasher.update(piece);
  }
  return BlobId{.digest = hasher.digest()};
}

Result<std::optional<PackedFile>> pack_large(int fd, std::uint64_t size, const std::stop_token& stop) {
  constexpr std::uint64_t hopeless = 32;  // What does not even shrink to this part of it is not tried.
  PackedFile packed;
  if (size / hopeless > packed_bytes_max) return std::optional<PackedFile>();
  std::string piece;
  StreamCompressor compressor(size);
  Sha256 hasher;
  for (std::uint64_t at = 0; at < size; at += piece.size()) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    piece.resize(std::min<std::uint64_t>(piece_bytes, size - at));
    if (!read_at(fd, piece.data(), piece.size(), at)) {
      return Error(ErrorCode::repo_changed, "A file became shorter while it was read; try again.");
    }
    hasher.update(piece);
    Result<Unit> done = compressor.add(piece, packed.stored, at + piece.size() == size);
    if (!done) return std::move(done).error();
    bool shrinks = packed.stored.size() <= (at + piece.size()) / 4 * 3 + piece_bytes;
    if (!shrinks || packed.stored.size() > packed_bytes_max) return std::optional<PackedFile>();
  }
  packed.id = BlobId{.digest = hasher.digest()};
  return std::optional(std::move(packed));
}

Result<RecordHeader> write_large(int segment, std::uint64_t offset, const LargeFile& file,
                                 const std::stop_token& stop) {
  auto [fd, size, id] = file;
  std::string piece(std::min<std::uint64_t>(piece_bytes, size), '\0');
  std::string stored;
  Result<Unit> done = read_at(fd, piece.data(), piece.size(), (size - piece.size()) / 2);
  if (!done) return std::move(done).error();
  RecordHeader header{.codec = compress(piece, stored), .raw_bytes = size, .stored_bytes = 0, .id = id};
  std::uint64_t at = offset + record_header_bytes;
  StreamCompressor compressor(size);
  Sha256 hasher;
  for (std::uint64_t read = 0; read < size; read += piece.size()) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    piece.resize(std::min<std::uint64_t>(piece_bytes, size - read));
    if (!read_at(fd, piece.data(), piece.size(), read)) {
      return Error(ErrorCode::repo_changed, "A file became shorter while it was read; try again.");
    }
    hasher.update(piece);
    stored.clear();
    done = header.codec == Codec::raw ? Result<Unit>(Unit{})
                                      : compressor.add(piece, stored, read + piece.size() == size);
    if (!done) return std::move(done).error();
    std::string_view bytes = header.codec == Codec::raw ? std::string_view(piece) : std::string_view(stored);
    done = write_at(segment, bytes, at);
    if (!done) return std::move(done).error();
    at += bytes.size();
  }
  if (hasher.digest() != id.digest)
    return Error(ErrorCode::repo_changed, "A file changed while it was read; try again.");
  header.stored_bytes = at - offset - record_header_bytes;
  done = write_at(segment, header.encoded(), offset);
  if (!done) return std::move(done).error();
  return header;
}

std::unique_ptr<ByteSource> large_blob(std::shared_ptr<const Segment> segment, const RecordHeader& header,
                                       std::uint64_t offset) {
  return std::make_unique<LargeBlob>(std::move(segment), header, offset);
}

}  // namespace snapgen::core
