#pragma once
// What the handlers share.

namespace consumer {

struct App {
  int priced = 0;
};

}  // namespace consumer
