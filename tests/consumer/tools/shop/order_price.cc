#include "schemas/shop/order_price.h"

#include "app.h"

namespace consumer {

Task<OrderPriceOutput> order_price(App& app, mcp::Call&, const OrderPriceInput& in) {
  ++app.priced;
  co_return OrderPriceOutput{.total_cents = in.cents * in.count};
}

}  // namespace consumer
