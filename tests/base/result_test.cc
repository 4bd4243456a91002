#include "runtime/base/result.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace snapgen {
namespace {

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> value = 3;
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 3);

  const Result<int> error =
      Error(ErrorCode::not_found, "no such lease", hint_details("look"), "open: ENOENT");
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().code, ErrorCode::not_found);
  EXPECT_EQ(error.error().message, "no such lease");
  EXPECT_EQ(error.error().cause, "open: ENOENT");
}

TEST(Result, MovesOutAMoveOnlyValue) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
  ASSERT_TRUE(made);
  const std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 7);
}

Result<std::unique_ptr<int>> number(int value) {
  if (value < 0) return Error(ErrorCode::invalid_argument, "negative");
  return std::make_unique<int>(value);
}

Result<Unit> is_even(int value) {
  if (value % 2 != 0) return Error(ErrorCode::not_found, "odd", hint_details("pass 2"), "rest 1");
  return Unit{};
}

Result<int> half(int value, int& steps) {
  const std::unique_ptr<int> given = TRY(number(value));
  ++steps;
  TRY(is_even(*given));
  ++steps;
  int out = 0;
  out = TRY(Result<int>(*given / 2));
  return out;
}

TEST(Try, YieldsTheValue) {
  int steps = 0;
  const Result<int> halved = half(8, steps);
  ASSERT_TRUE(halved);
  EXPECT_EQ(*halved, 4);
  EXPECT_EQ(steps, 2);
}

TEST(Try, ReturnsTheWholeErrorImmediately) {
  int steps = 0;
  const Result<int> halved = half(7, steps);
  ASSERT_FALSE(halved);
  EXPECT_EQ(halved.error().code, ErrorCode::not_found);
  EXPECT_EQ(halved.error().message, "odd");
  EXPECT_EQ(halved.error().details, hint_details("pass 2"));
  EXPECT_EQ(halved.error().cause, "rest 1");
  EXPECT_EQ(steps, 1);

  EXPECT_EQ(half(-2, steps).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(steps, 1);
}

TEST(Try, DestroysLocalsWhenTheErrorIsReturned) {
  auto owned = std::make_shared<int>(1);
  const auto fails = [&](std::shared_ptr<int> copy) -> Result<Unit> {
    const std::shared_ptr<int> second = copy;
    std::shared_ptr<int> third = TRY(Result<std::shared_ptr<int>>(copy));
    TRY(is_even(*third));
    return Unit{};
  };
  EXPECT_FALSE(fails(owned));
  EXPECT_EQ(owned.use_count(), 1);
}

TEST(Try, CopiesAResultThatIsStillNamed) {
  const Result<std::string> known = std::string("a text that is too long for the small buffer of a string");
  const auto size = [&]() -> Result<std::size_t> {
    const std::string text = TRY(known);
    return text.size();
  };
  EXPECT_EQ(*size(), known->size());
  EXPECT_FALSE(known->empty());
}

TEST(ErrorCode, HasTheSpellingThatClientsReceive) {
  EXPECT_EQ(text(ErrorCode::not_found), "NOT_FOUND");
  EXPECT_EQ(text(ErrorCode::invalid_argument), "INVALID_ARGUMENT");
  EXPECT_EQ(text(ErrorCode::repo_changed), "REPO_CHANGED");
  EXPECT_EQ(text(ErrorCode::permission_denied), "PERMISSION_DENIED");
  EXPECT_EQ(text(ErrorCode::too_large), "TOO_LARGE");
  EXPECT_EQ(text(ErrorCode::internal), "INTERNAL");
  EXPECT_EQ(text(ErrorCode::stale_lease), "STALE_LEASE");
  EXPECT_EQ(text(ErrorCode::cancelled), "CANCELLED");
  EXPECT_EQ(text(ErrorCode::unavailable), "UNAVAILABLE");
}

}  // namespace
}  // namespace snapgen
