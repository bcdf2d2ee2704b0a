package ros_test

import (
	"context"
	"fmt"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// A camera node publishes, a watcher listens and resets the camera through a service. The command
// line remaps the watcher's topic and sets a parameter.
func Example() {
	bus := rostest.NewBus()
	camera := must(ros.NewNode(bus.Join(), "camera", ros.Args{}, ros.Options{Namespace: "/rig"}))
	defer camera.Close()
	images, _ := ros.Advertise[*msgs.Image](camera, "image", ros.SensorData)
	ros.Trigger(camera, "~/reset", func(context.Context) (string, error) { return "as new", nil })

	args, _ := ros.ParseArgs([]string{"--ros-args", "-r", "image:=/rig/image", "-p", "timeout:=2.5"})
	watcher := must(ros.NewNode(bus.Join(), "watcher", args, ros.Options{}))
	defer watcher.Close()
	timeout, _ := ros.Declare(watcher, "timeout", 1.0, ros.Describe[float64]{
		Text: "seconds to wait for an image", Min: 0.1, Max: 60})
	ctx, cancel := context.WithTimeout(context.Background(),
		time.Duration(timeout.Get()*float64(time.Second)))
	defer cancel()

	seen := make(chan *msgs.Image, 1)
	ros.Subscribe(watcher, "image", ros.SensorData, func(m *msgs.Image, _ ros.Info) { seen <- m })
	images.WaitForSubscribers(ctx, 1)
	images.Publish(&msgs.Image{Height: 480, Width: 640, Encoding: msgs.RGB8, Step: 3 * 640})
	m := <-seen
	fmt.Println(m.Width, "x", m.Height, m.Encoding, "within", timeout.Get(), "s")

	reset, _ := ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](watcher,
		"/rig/camera/reset")
	res, err := reset.Call(ctx, &msgs.TriggerRequest{})
	fmt.Println(res.Message, err)
	// Output:
	// 640 x 480 rgb8 within 2.5 s
	// as new <nil>
}
