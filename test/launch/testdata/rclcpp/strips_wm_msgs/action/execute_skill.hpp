// As rosidl makes it of ExecuteSkill.action.
#pragma once
#include <rclcpp/rclcpp.hpp>

namespace strips_wm_msgs::action
{
struct ExecuteSkill
{
  struct Goal { uint32_t action; };
  struct Result
  {
    using SharedPtr = std::shared_ptr<Result>;
    static constexpr uint8_t SUCCEEDED = 1, REFUSED = 2, FAILED = 3;
    uint8_t outcome;
    builtin_interfaces::msg::Time started, ended;
    std::string message;
  };
};
}  // namespace strips_wm_msgs::action
