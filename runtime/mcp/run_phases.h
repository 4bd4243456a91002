#pragma once
// run_phases() runs a tool in three phases: `before` prepares on the server, `client` asks the client, and
// `after` combines the two results. Each phase runs once with every revision of the protocol, because the
// call is suspended while the client is asked.
//
//   Task<Output> phases = mcp::run_phases(call, before, client, after);
//
//   before: Result<P>()      client: Task<A>(Context&, const P&)      after: Result<R>(P, A)
//
// The three callables must be named objects that outlive the task, like the jobs of offload().
#include <type_traits>
#include <utility>

#include "runtime/mcp/context.h"

namespace snapgen::mcp {

template <class T>
struct TaskValue;
template <class T>
struct TaskValue<Task<T>> {
  using type = T;
};

template <
    class Before, class Client, class After,
    class P = std::remove_cvref_t<decltype(*std::declval<Before&>()())>,
    class A = typename TaskValue<std::invoke_result_t<Client&, Context&, const P&>>::type,
    class R = std::remove_cvref_t<decltype(*std::declval<After&>()(std::declval<P>(), std::declval<A>()))>>
Task<R> run_phases(Context& context, Before& before, Client& client, After& after) {
  Result<P> outcome = before();
  P prepared = co_await outcome;
  Task<A> asking = client(context, prepared);
  Result<A> client_answer = co_await std::move(asking);
  A answer = co_await client_answer;
  Result<R> result = after(std::move(prepared), std::move(answer));
  co_return result;
}

}  // namespace snapgen::mcp
