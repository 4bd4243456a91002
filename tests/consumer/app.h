#pragma once
// State that the handlers share.

namespace consumer {

struct App {
  int priced = 0;
};

}  // namespace consumer
