package node_test

import (
	"fmt"
	"os"
	"path/filepath"

	"stripswm/nodes/recorder/node"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

func Example() {
	dir, err := os.MkdirTemp("", "recorder-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	args, _ := ros.ParseArgs([]string{"--ros-args", "-p", "min_free:=0", "-p", "directory:=" +
		filepath.Join(dir, "bag")})
	n, err := ros.NewNode(rostest.NewBus().Join(), "recorder", args, ros.Options{Log: &rostest.Log{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer n.Close()
	r, err := node.New(n, &rostest.Log{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.Close(); err != nil { // as ^C does
		fmt.Println(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "bag", "*"))
	for _, f := range files {
		fmt.Println(filepath.Base(f))
	}
	// Output:
	// bag_0.mcap
	// metadata.yaml
}
