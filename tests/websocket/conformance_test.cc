// Plays every case against an endpoint that echoes: in as few pieces as possible, one piece for each frame,
// and byte by byte. The answers must be the same each time.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

#include "runtime/websocket/endpoint.h"
#include "tests/websocket/cases.h"
#include "tests/websocket/server_frames.h"

namespace snapgen::websocket {

std::ostream& operator<<(std::ostream& out, const Case& played) {
  return out << played.file << ": " << played.name;
}

namespace {

enum class Cut { none, frames, bytes };

// The client's side of permessage-deflate.
class Expander {
 public:
  explicit Expander(int window_bits) { inflateInit2(&stream_, -window_bits); }
  Expander(Expander&&) = delete;
  ~Expander() { inflateEnd(&stream_); }

  std::string expand(std::string payload, bool keep_context) {
    if (!keep_context) inflateReset(&stream_);
    payload.append("\x00\x00\xff\xff", 4);
    std::string out(std::size_t{2} << 20, '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(payload.data());
    stream_.avail_in = static_cast<uInt>(payload.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&stream_, Z_SYNC_FLUSH), Z_OK);
    EXPECT_EQ(stream_.avail_in, 0U);
    out.resize(out.size() - stream_.avail_out);
    return out;
  }

 private:
  z_stream stream_{};
};

class Player {
 public:
  Player(const Case& played, Cut cut) : played_(played), cut_(cut) {
    if (!played.offer.empty()) {
      const DeflatePolicy policy{.is_enabled = true, .keep_context = true};
      terms_ = negotiate_extensions(played.offer, policy).terms;
      EXPECT_TRUE(terms_) << "the server declined the offer";
      expander_ = std::make_unique<Expander>(terms_->server_window_bits);
    }
    const EndpointOptions options{
        .message_bytes_max = played.message_bytes_max, .accepts_binary = true, .compress_bytes_min = 100};
    endpoint_ = std::make_unique<Endpoint>(options, terms_);
  }

  void play() {
    std::string unsent;
    for (const CaseStep& step : played_.steps) {
      SCOPED_TRACE("line " + std::to_string(step.line));
      if (step.kind == CaseStep::Kind::send) {
        unsent += step.bytes;
        if (cut_ != Cut::none) send(unsent);
        continue;
      }
      send(unsent);
      expect(step);
      if (testing::Test::HasFailure()) return;
    }
    send(unsent);
    EXPECT_TRUE(said_.empty()) << said_.size() << " unexpected bytes";
    const bool ends = played_.steps.back().kind == CaseStep::Kind::expect_close;
    EXPECT_EQ(endpoint_->has_ended(), ends);
    EXPECT_EQ(endpoint_->has_sent_close(), ends);
  }

 private:
  void send(std::string& bytes) {
    const std::size_t step = cut_ == Cut::bytes ? 1 : std::max<std::size_t>(bytes.size(), 1);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      // A copy of exactly this size, so that a sanitizer detects any read beyond it.
      std::vector<char> piece(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                              bytes.begin() + static_cast<std::ptrdiff_t>(std::min(at + step, bytes.size())));
      endpoint_->feed(piece);
      echo();
    }
    bytes.clear();
    said_ += endpoint_->out().view();
    endpoint_->out().clear();
  }
  void echo() {
    Message message;
    bool in_place = false;
    while (endpoint_->next(message)) {
      const Opcode opcode = message.kind == Message::Kind::text ? Opcode::text : Opcode::binary;
      if (in_place) {
        endpoint_->outgoing_buffer().append(message.payload);
        endpoint_->commit_outgoing(opcode);
      } else {
        endpoint_->send(opcode, message.payload);
      }
      in_place = !in_place;
    }
    if (endpoint_->has_ended()) endpoint_->close(CloseCode::normal);
  }

  void expect(const CaseStep& step) {
    std::string_view left = said_;
    std::optional<ServerFrame> frame = take_frame(left);
    if (step.kind == CaseStep::Kind::expect_nothing) {
      EXPECT_TRUE(said_.empty());
      return;
    }
    ASSERT_TRUE(frame) << "the endpoint sent no answer";
    said_.erase(0, said_.size() - left.size());
    EXPECT_TRUE(frame->last);
    EXPECT_FALSE(frame->masked);
    EXPECT_TRUE(frame->fewest_bytes);
    EXPECT_EQ(frame->reserved_bits, 0);
    if (step.kind == CaseStep::Kind::expect_close) {
      ASSERT_EQ(frame->opcode, 8);
      EXPECT_EQ(frame->code(), step.code);
      EXPECT_LE(frame->payload.size(), 125U);
      return;
    }
    ASSERT_EQ(frame->opcode, step.opcode) << "code " << frame->code();
    if (frame->compressed) {
      ASSERT_TRUE(terms_);
      frame->payload = expander_->expand(frame->payload, terms_->server_keeps_context);
    }
    EXPECT_EQ(frame->payload.size(), step.bytes.size());
    EXPECT_TRUE(frame->payload == step.bytes);
  }

  const Case& played_;
  Cut cut_;
  std::optional<DeflateParameters> terms_;
  std::unique_ptr<Expander> expander_;
  std::unique_ptr<Endpoint> endpoint_;
  std::string said_;
};

class Conformance : public testing::TestWithParam<Case> {};

TEST_P(Conformance, PassesInOnePiece) { Player(GetParam(), Cut::none).play(); }
TEST_P(Conformance, PassesFrameByFrame) { Player(GetParam(), Cut::frames).play(); }
TEST_P(Conformance, PassesByteByByte) { Player(GetParam(), Cut::bytes).play(); }

std::vector<Case> all_cases() {
  std::vector<Case> out;
  for (const char* file : {"framing", "control", "fragments", "utf8", "close", "limits", "deflate"}) {
    std::vector<Case> more = read_cases(std::filesystem::path(SNAPGEN_CASES) / (std::string(file) + ".txt"));
    std::ranges::move(more, std::back_inserter(out));
  }
  return out;
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  std::string name = std::to_string(info.index) + "_" + info.param.file + "_" + info.param.name;
  for (char& byte : name)
    if (!std::isalnum(static_cast<unsigned char>(byte))) byte = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rfc, Conformance, testing::ValuesIn(all_cases()), name_of_case);

}  // namespace
}  // namespace snapgen::websocket
