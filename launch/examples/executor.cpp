// A skill executor to begin with, in C++: put your robot's skills into move().
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <strips_wm_msgs/action/execute_skill.hpp>
#include <strips_wm_msgs/msg/skill_status.hpp>

using strips_wm_msgs::action::ExecuteSkill;
using strips_wm_msgs::msg::SkillStatus;
using Handle = rclcpp_action::ServerGoalHandle<ExecuteSkill>;

// The skill does not apply, and nothing was moved.
struct Refused : std::runtime_error
{
  using std::runtime_error::runtime_error;
};

// Moves the robot, and returns when it is at rest. Throws Refused, or anything else if nobody knows what was moved.
void move(uint32_t action) { throw Refused("skill " + std::to_string(action) + " is not written yet"); }

class Executor : public rclcpp::Node
{
public:
  Executor() : Node("executor")
  {
    status_ = create_publisher<SkillStatus>("skill_status", 100);
    idle_ = create_wall_timer(std::chrono::seconds(1), [this] { if (!busy_) tell({}, 0, SkillStatus::IDLE, ""); });
    server_ = rclcpp_action::create_server<ExecuteSkill>(this, "execute_skill",
      [this](const rclcpp_action::GoalUUID &, std::shared_ptr<const ExecuteSkill::Goal> goal) {
        return goal->action == 0 || busy_.exchange(true) ? rclcpp_action::GoalResponse::REJECT : rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<Handle>) { return rclcpp_action::CancelResponse::REJECT; },
      [this](std::shared_ptr<Handle> handle) { std::thread(&Executor::execute, this, handle).detach(); });
  }

private:
  // Says when the robot is about to move and when it is at rest again.
  void execute(std::shared_ptr<Handle> handle)
  {
    const uint32_t action = handle->get_goal()->action;
    auto result = std::make_shared<ExecuteSkill::Result>();
    uint8_t phase = SkillStatus::SUCCEEDED;
    result->outcome = ExecuteSkill::Result::SUCCEEDED;
    result->started = tell(handle->get_goal_id(), action, SkillStatus::STARTED, "");
    try {
      move(action);
    } catch (const Refused & e) {
      result->outcome = ExecuteSkill::Result::REFUSED, phase = SkillStatus::REFUSED, result->message = e.what();
    } catch (const std::exception & e) {
      result->outcome = ExecuteSkill::Result::FAILED, phase = SkillStatus::FAILED, result->message = e.what();
    }
    result->ended = tell(handle->get_goal_id(), action, phase, result->message);
    busy_ = false;  // before the client is told, who may send the next goal at once
    phase == SkillStatus::SUCCEEDED ? handle->succeed(result) : handle->abort(result);
  }

  builtin_interfaces::msg::Time tell(const rclcpp_action::GoalUUID & execution, uint32_t action, uint8_t phase, const std::string & message)
  {
    SkillStatus status;
    status.header.stamp = now();
    status.execution_id.uuid = execution;
    status.action = action;
    status.phase = phase;
    status.progress = std::nanf("");
    status.message = message;
    status_->publish(status);
    return status.header.stamp;
  }

  std::atomic<bool> busy_{false};  // while a skill runs
  rclcpp::Publisher<SkillStatus>::SharedPtr status_;
  rclcpp::TimerBase::SharedPtr idle_;
  rclcpp_action::Server<ExecuteSkill>::SharedPtr server_;
};

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Executor>());
  rclcpp::shutdown();
}
