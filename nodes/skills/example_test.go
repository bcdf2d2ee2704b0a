package skills_test

import (
	"context"
	"fmt"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
	"stripswm/nodes/skills"
)

// A skill executor on the same bus refuses every skill but 7.
func ExampleClient() {
	bus := rostest.NewBus()
	robot, err := ros.NewNode(bus.Join(), "robot", ros.Args{}, ros.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer robot.Close()
	type goal = ros.ServerGoal[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback]
	execute := func(_ context.Context, g *goal) (*msgs.ExecuteSkillResult, error) {
		if g.Goal.Action != 7 {
			return &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultRefused}, nil
		}
		return &msgs.ExecuteSkillResult{Outcome: msgs.ExecuteSkillResultSucceeded}, nil
	}
	ros.ServeAction(robot, "execute_skill", ros.Action[*msgs.ExecuteSkillGoal,
		*msgs.ExecuteSkillFeedback, *msgs.ExecuteSkillResult]{Execute: execute})

	node, err := ros.NewNode(bus.Join(), "planner", ros.Args{}, ros.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	client, err := skills.Open(node)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	report, err := client.Execute(context.Background(), 7)
	fmt.Println(report.Outcome, err)
	// Output: succeeded <nil>
}
