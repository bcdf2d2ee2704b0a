// What executor.cpp uses of rclcpp, declared as Humble and Jazzy do, so that it can be compiled without ROS.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace builtin_interfaces::msg { struct Time { int32_t sec; uint32_t nanosec; }; }

namespace rclcpp
{
struct Time { operator builtin_interfaces::msg::Time() const; };
struct QoS { QoS(size_t depth); };
template<typename M> struct Publisher { using SharedPtr = std::shared_ptr<Publisher>; void publish(const M &); };
struct TimerBase { using SharedPtr = std::shared_ptr<TimerBase>; };
struct Node
{
  using SharedPtr = std::shared_ptr<Node>;
  explicit Node(const std::string & name);
  virtual ~Node();
  Time now() const;
  template<typename M> typename Publisher<M>::SharedPtr create_publisher(const std::string & topic, const QoS &);
  template<typename D, typename F> TimerBase::SharedPtr create_wall_timer(D, F) { return nullptr; }
};
void init(int argc, char const * const * argv);
void spin(Node::SharedPtr);
bool shutdown();
}  // namespace rclcpp
