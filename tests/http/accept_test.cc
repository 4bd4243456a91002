// The media types that the Accept fields of a request include.
#include <string>

#include <gtest/gtest.h>

#include "runtime/http/head.h"
#include "runtime/http/request_parser.h"

namespace snapgen::http {
namespace {

bool takes(const std::string& fields, std::string_view type) {
  const RequestLimits limits;
  RequestParser parser(limits);
  parser.feed("GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
  EXPECT_EQ(parser.stage(), RequestParser::Stage::complete) << fields;
  return accepts_media_type(parser.head(), type);
}

TEST(Accept, AcceptsATypeInAnyCaseAndByRanges) {
  for (const char* value : {"application/json", "Application/JSON", "text/html, application/json;q=0.1",
                            "application/*", "APPLICATION/*;q=1", "*/*", "*/*;q=0.001", "text/html,*/*",
                            " ,, application/json , ", "application/json; charset=utf-8",
                            "application/json;note=\"a, b;q=0\"", "application/json;q=0, application/json",
                            "*/*;q=0, application/json", "application/*;q=0,application/json;q=0.5",
                            "text/x;note=\"\\\"\", application/json", "application/json ; q=1"})
    EXPECT_TRUE(takes("Accept: " + std::string(value) + "\r\n", "application/json")) << value;
  EXPECT_TRUE(takes("Accept: text/html\r\naccept: application/json\r\n", "application/json"));
}

TEST(Accept, RejectsOtherTypesAndQualityZero) {
  for (const char* value : {"", "application/jsonx", "xapplication/json", "application/json+x", "text/*",
                            "application", "*", "*/json", "application/json;q=0", "application/json;Q=0.000",
                            "*/*;q=0", "application/*, application/json;q=0", "*/*, application/*;q=0",
                            "application/vnd.x+json;note=\"application/json\"",
                            "text/x;note=\", application/json\"", "text/x;note=\"\\\", application/json"})
    EXPECT_FALSE(takes("Accept: " + std::string(value) + "\r\n", "application/json")) << value;
  EXPECT_FALSE(takes({}, "application/json"));
}

}  // namespace
}  // namespace snapgen::http
