// Echo server on Boost.Beast without other layers, on one thread.
#include <cstdio>
#include <memory>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Tcp = asio::ip::tcp;
using Error = boost::system::error_code;

class Peer : public std::enable_shared_from_this<Peer> {
 public:
  explicit Peer(Tcp::socket socket) : stream_(std::move(socket)) {}

  void begin() {
    stream_.next_layer().set_option(Tcp::no_delay(true));
    stream_.async_accept([self = shared_from_this()](Error error) {
      if (!error) self->read();
    });
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
      if (!error) self->write();
    });
  }
  void write() {
    stream_.text(stream_.got_text());
    stream_.async_write(buffer_.data(), [self = shared_from_this()](Error error, std::size_t) {
      self->buffer_.consume(self->buffer_.size());
      if (!error) self->read();
    });
  }

  beast::websocket::stream<Tcp::socket> stream_;
  beast::flat_buffer buffer_;
};

void accept(Tcp::acceptor& acceptor) {
  acceptor.async_accept([&acceptor](Error error, Tcp::socket socket) {
    if (!error) std::make_shared<Peer>(std::move(socket))->begin();
    accept(acceptor);
  });
}

}  // namespace

int main() {
  asio::io_context context(1);
  Tcp::acceptor acceptor(context);
  acceptor.open(Tcp::v4());
  acceptor.bind({asio::ip::address_v4::loopback(), 0});
  acceptor.listen(4096);
  accept(acceptor);
  std::printf("ws://127.0.0.1:%d/\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  context.run();
  return 0;
}
