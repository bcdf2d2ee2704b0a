// As rosidl makes it of SkillStatus.msg.
#pragma once
#include <rclcpp/rclcpp.hpp>

namespace strips_wm_msgs::msg
{
struct SkillStatus
{
  static constexpr uint8_t IDLE = 0, STARTED = 1, RUNNING = 2, SUCCEEDED = 3, REFUSED = 4, FAILED = 5, CANCELED = 6;
  struct { builtin_interfaces::msg::Time stamp; std::string frame_id; } header;
  struct { std::array<uint8_t, 16> uuid; } execution_id;
  uint32_t action;
  uint8_t phase;
  float progress;
  std::string message;
};
}  // namespace strips_wm_msgs::msg
