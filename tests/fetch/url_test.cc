#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "runtime/fetch/service.h"

namespace snapgen::fetch {
namespace {

TEST(BaseUrl, IsHttpsToAnyHostOrHttpToThisMachine) {
  for (std::string_view good :
       {"https://api.example.org", "https://api.example.org/", "https://api.example.org:8443/v2/x",
        "HTTPS://API.example.org", "https://192.0.2.7", "https://[2001:db8::1]:8443/", "http://localhost",
        "http://LOCALHOST:80", "http://127.0.0.1:3000/api", "http://[::1]:3000"})
    EXPECT_EQ(base_url_fault(good), std::nullopt) << good;
}

TEST(BaseUrl, ReportsTheFaultOfAnInvalidUrl) {
  using Case = std::array<std::string_view, 2>;
  for (const auto& [url, words] : {Case{"", "a URL like"},
                                   Case{"api.example.org", "a URL like"},
                                   Case{"ftp://example.org", "the scheme must be https"},
                                   Case{"file:///etc/passwd", "the scheme must be https"},
                                   Case{"http://api.example.org", "only to this machine"},
                                   Case{"http://127.0.0.1.example.org", "only to this machine"},
                                   Case{"http://localhost.example.org/", "only to this machine"},
                                   Case{"https://user@example.org", "a user or password"},
                                   Case{"https://user:secret@example.org", "a user or password"},
                                   Case{"http://localhost:80@example.org", "a user or password"},
                                   Case{"https://", "not a host"},
                                   Case{"https://a b", "not a host"},
                                   Case{"https://exa\nmple.org", "not a host"},
                                   Case{"https://ex\\ample.org", "not a host"},
                                   Case{"https://[::1", "a URL like"},
                                   Case{"https://[]", "not a host"},
                                   Case{"https://example.org:", "a URL like"},
                                   Case{"https://example.org:0", "not a port"},
                                   Case{"https://example.org:65536", "not a port"},
                                   Case{"https://example.org:80a", "not a port"},
                                   Case{"https://example.org:8\n0", "not a port"},
                                   Case{"https://example.org?x=1", "not a host"},
                                   Case{"https://example.org/?x=1", "its path"},
                                   Case{"https://example.org/#x", "its path"},
                                   Case{"https://example.org/a%2e", "its path"},
                                   Case{"https://example.org/a b", "its path"},
                                   Case{"https://[::1]x", "not a host"}}) {
    const std::optional<std::string> fault = base_url_fault(url);
    ASSERT_TRUE(fault) << url;
    EXPECT_NE(fault->find(words), std::string::npos) << url << ": " << *fault;
    EXPECT_EQ(fault->find("secret"), std::string::npos) << *fault;
    EXPECT_EQ(fault->find('\n'), std::string::npos) << *fault;
  }
}

TEST(BaseUrl, TruncatesALongHostInErrors) {
  const std::optional<std::string> fault = base_url_fault("https://" + std::string(5000, 'a'));
  ASSERT_TRUE(fault);
  EXPECT_LT(fault->size(), 100U) << *fault;
}

TEST(Origin, IsSchemeHostAndPortInLowerCase) {
  EXPECT_EQ(origin_of("HTTPS://API.Example.org:8443/V2/"), "https://api.example.org:8443");
  EXPECT_EQ(origin_of("http://[::1]:3000"), "http://[::1]:3000");
  EXPECT_EQ(origin_of("nonsense"), "");
}

TEST(Token, IsOneWordOfPrintableAscii) {
  EXPECT_TRUE(is_bearer_token("abc.DEF-123_~+/="));
  for (std::string_view bad : {"", "two words", "line\r\nX-Evil: 1", "tab\t", "gr\xc3\xbc\xc3\x9f"})
    EXPECT_FALSE(is_bearer_token(bad)) << bad;
  EXPECT_FALSE(is_bearer_token(std::string(10'000, 'a')));
}

}  // namespace
}  // namespace snapgen::fetch
