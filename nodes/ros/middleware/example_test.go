package middleware_test

import (
	"context"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

// The main function of a node that publishes one message and waits for ^C.
func ExampleMain() {
	middleware.Main("talker", func(ctx context.Context, n *ros.Node) error {
		chat, err := ros.Advertise[*msgs.String](n, "chat", ros.Latched)
		if err != nil {
			return err
		}
		n.WarnUndeclared()
		if err := chat.Publish(&msgs.String{Data: "hello"}); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	})
}
