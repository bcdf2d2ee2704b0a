package rostest_test

import (
	"context"
	"fmt"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// A test asks a node for its parameter, as `ros2 param get` does.
func Example() {
	bus := rostest.NewBus()
	node, err := ros.NewNode(bus.Join(), "recorder", ros.Args{}, ros.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	ros.Declare(node, "rate", 30.0, ros.Describe[float64]{})

	tool, err := ros.NewNode(bus.Join(), "tool", ros.Args{}, ros.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tool.Close()
	get, _ := ros.NewClient[*msgs.GetParametersRequest, *msgs.GetParametersResponse](tool,
		"/recorder/get_parameters")
	res, err := get.Call(context.Background(), &msgs.GetParametersRequest{Names: []string{"rate"}})
	fmt.Println(res.Values[0].DoubleValue, err)
	// Output: 30 <nil>
}
