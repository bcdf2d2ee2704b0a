// What executor.cpp uses of rclcpp_action, declared as Humble and Jazzy do.
#pragma once
#include <rclcpp/rclcpp.hpp>

namespace rclcpp_action
{
using GoalUUID = std::array<uint8_t, 16>;
enum class GoalResponse : int8_t { REJECT = 1, ACCEPT_AND_EXECUTE = 2, ACCEPT_AND_DEFER = 3 };
enum class CancelResponse : int8_t { REJECT = 1, ACCEPT = 2 };
template<typename A> struct ServerGoalHandle
{
  std::shared_ptr<const typename A::Goal> get_goal() const;
  const GoalUUID & get_goal_id() const;
  void succeed(typename A::Result::SharedPtr);
  void abort(typename A::Result::SharedPtr);
};
template<typename A> struct Server { using SharedPtr = std::shared_ptr<Server>; };
template<typename A, typename N> typename Server<A>::SharedPtr create_server(
  N node, const std::string & name,
  std::function<GoalResponse(const GoalUUID &, std::shared_ptr<const typename A::Goal>)> handle_goal,
  std::function<CancelResponse(std::shared_ptr<ServerGoalHandle<A>>)> handle_cancel,
  std::function<void(std::shared_ptr<ServerGoalHandle<A>>)> handle_accepted);
}  // namespace rclcpp_action
