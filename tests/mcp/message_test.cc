#include "runtime/mcp/message.h"

#include <string>

#include <gtest/gtest.h>

namespace snapgen::mcp {
namespace {

using Kind = Message::Kind;

TEST(Message, ParsesARequestInOnePass) {
  const std::string text =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}})";
  Message message;
  message.read(text);
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_EQ(message.id, "7");
  EXPECT_EQ(message.method, "tools/call");
  EXPECT_TRUE(message.has_name);
  EXPECT_EQ(message.name, "echo");
  EXPECT_EQ(message.arguments, R"({"text":"x"})");
  EXPECT_EQ(message.params, R"({"name":"echo","arguments":{"text":"x"}})");
}

TEST(Message, IgnoresAByteOrderMark) {
  const std::string text = "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
  Message message;
  message.read(text);
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_EQ(message.method, "ping");
}

TEST(Message, ReadsMembersInAnyOrderAndIgnoresUnknownOnes) {
  Message message;
  message.read(
      R"( {"x":[{}], "params" : { "y":null, "arguments" : {} , "name":"n"} ,"id":"a","method":"m","jsonrpc":"2.0"} )");
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_EQ(message.id, R"("a")");
  EXPECT_EQ(message.name, "n");
  EXPECT_EQ(message.params, R"({ "y":null, "arguments" : {} , "name":"n"})");
}

TEST(Message, DoesNotReuseValuesOfThePreviousMessage) {
  Message message;
  message.read(
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"n","arguments":{"a":1},"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  ASSERT_TRUE(message.meta().progress_token);
  ASSERT_TRUE(message.meta().protocol_version);
  message.read(R"({"jsonrpc":"2.0","method":"m"})");
  EXPECT_EQ(message.kind, Kind::notification);
  EXPECT_EQ(message.id, "");
  EXPECT_EQ(message.params, "{}");
  EXPECT_EQ(message.arguments, "{}");
  EXPECT_FALSE(message.has_name);
  EXPECT_FALSE(message.meta().progress_token);
  EXPECT_FALSE(message.meta().protocol_version);
  EXPECT_EQ(message.meta_problem, "");
  EXPECT_EQ(message.problem, "");
}

TEST(Message, ReadsTheMetadataOfAModernRequest) {
  Message message;
  message.read(
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{"tools":{}}},"io.modelcontextprotocol/logLevel":"notice","other":[1]}}})");
  EXPECT_EQ(message.meta_problem, "");
  EXPECT_FALSE(message.meta().protocol_version);
  ASSERT_TRUE(message.meta().client_info);
  EXPECT_EQ(message.meta().client_info->name, "c");
  ASSERT_TRUE(message.meta().client_capabilities);
  EXPECT_TRUE(message.meta().client_capabilities->sampling);
  EXPECT_FALSE(message.meta().client_capabilities->elicitation);
  EXPECT_EQ(message.meta().log_level, Severity::notice);
}

TEST(Message, ReportsInvalidMetadataByPath) {
  Message message;
  message.read(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":[]}}})");
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_TRUE(message.meta_problem.starts_with("/params/_meta/progressToken: ")) << message.meta_problem;
}

TEST(Message, ReturnsIdsOfAnySizeExactlyAsWritten) {
  Message message;
  message.read(R"({"jsonrpc":"2.0","id":-123456789012345678901234567890,"method":"m"})");
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_EQ(message.id, "-123456789012345678901234567890");
  message.read(R"({"jsonrpc":"2.0","id":1e2,"method":"m"})");
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_EQ(message.id, "1e2");
  message.read(R"({"jsonrpc":"2.0","id":"\u0000\"","method":"m"})");
  EXPECT_EQ(message.id, R"("\u0000\"")");
}

TEST(Message, RejectsInvalidIds) {
  for (const std::string id : {"null", "1.5", "true", "{}", "[1]", "1e-1"}) {
    Message message;
    message.read(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"m"})");
    EXPECT_EQ(message.kind, Kind::broken) << id;
    EXPECT_EQ(message.code, RpcCode::invalid_request) << id;
    EXPECT_EQ(message.id, "") << id;
  }
}

TEST(Message, AnInvalidRequestKeepsItsValidId) {
  Message message;
  message.read(R"({"jsonrpc":"2.0","params":5,"id":"x","method":"m"})");
  EXPECT_EQ(message.kind, Kind::broken);
  EXPECT_EQ(message.id, R"("x")");
  EXPECT_EQ(message.problem, "The member params must be an object.");
}

TEST(Message, RejectsADuplicateMemberOfParams) {
  for (const std::string name : {"_meta", "name", "arguments", "requestState", "inputResponses"}) {
    for (const std::string value : {"null", "{}", R"("x")", "5"}) {
      const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{")" + name +
                               R"(":null,"a":1,")" + name + "\":" + value + "}}";
      Message message;
      message.read(text);
      EXPECT_EQ(message.kind, Kind::broken) << name << value;
      EXPECT_EQ(message.code, RpcCode::invalid_request) << name << value;
      EXPECT_EQ(message.id, "1");
      EXPECT_EQ(message.problem, "The member params." + name + " is given twice.") << value;
    }
  }
}

TEST(Message, RejectsADuplicateMemberOfMetadata) {
  const std::string once = R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":1}}})";
  const std::string twice =
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":1,"progressToken":2}}})";
  Message message;
  for (int i = 0; i != 2; ++i) {
    message.read(once);
    EXPECT_EQ(message.kind, Kind::request) << message.problem;
    message.read(twice);
    EXPECT_EQ(message.kind, Kind::broken);
    EXPECT_EQ(message.problem, R"(/params/_meta/progressToken: duplicate property "progressToken".)");
  }
}

TEST(Message, RejectsAResponseWithResultAndError) {
  Message message;
  message.read(R"({"jsonrpc":"2.0","id":1,"result":{},"result":{}})");
  EXPECT_EQ(message.kind, Kind::response);
  EXPECT_EQ(message.problem, "The member result is given twice.");
  message.read(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(message.problem, "");
}

TEST(Message, HasNoIdWhenTheTextIsNotJson) {
  for (const std::string text :
       {R"({"jsonrpc":"2.0","id":1,"method":"m")", R"({"id":1}})", R"({"id":1,"method":"\x"})", ""}) {
    Message message;
    message.read(text);
    EXPECT_EQ(message.kind, Kind::broken) << text;
    EXPECT_EQ(message.code, RpcCode::parse_error) << text;
    EXPECT_EQ(message.id, "") << text;
    EXPECT_TRUE(message.problem.starts_with("The message is not JSON: ")) << message.problem;
  }
}

TEST(Message, RejectsJsonThatIsNestedTooDeeply) {
  Message message;
  message.read(R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + std::string(100'000, '['));
  EXPECT_EQ(message.code, RpcCode::parse_error);
}

TEST(Message, RejectsInvalidUtf8Anywhere) {
  Message message;
  message.read("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"x\":\"\xc3\x28\"}");
  EXPECT_EQ(message.code, RpcCode::parse_error);
  EXPECT_EQ(message.problem, "The message is not valid UTF-8.");
}

TEST(Message, DistinguishesResponsesFromRequests) {
  Message message;
  message.read(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(message.kind, Kind::response);
  message.read(R"({"id":1,"error":{"code":1}})");
  EXPECT_EQ(message.kind, Kind::response);
  message.read(R"({"jsonrpc":"2.0","id":1,"result":{},"method":"m"})");
  EXPECT_EQ(message.kind, Kind::request);
}

TEST(Message, SplitsABatchIntoMessages) {
  Message message;
  message.read(R"([ {"a":[1]} , 2,[3] ])");
  EXPECT_EQ(message.kind, Kind::batch);
  ASSERT_EQ(message.batch.size(), 3U);
  EXPECT_EQ(message.batch[0], R"({"a":[1]})");
  EXPECT_EQ(message.batch[1], "2");
  EXPECT_EQ(message.batch[2], "[3]");
  message.read(R"([{"a":1},)");
  EXPECT_EQ(message.kind, Kind::broken);
  EXPECT_EQ(message.code, RpcCode::parse_error);
}

TEST(Message, TreatsNullParamsAsMissing) {
  Message message;
  message.read(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})");
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_EQ(message.params, "{}");
  message.read(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":null,"_meta":null}})");
  EXPECT_EQ(message.kind, Kind::request);
  EXPECT_EQ(message.arguments, "{}");
  EXPECT_EQ(message.meta_problem, "");
}

}  // namespace
}  // namespace snapgen::mcp
