package node

import (
	"fmt"
	"slices"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/bags/recording"
	"stripswm/models/pixels"
	"stripswm/nodes/camera"
	"stripswm/nodes/ros"
)

// settings are the node's parameters. All are read once.
type settings struct {
	recording recording.Options
	camera    pixels.Camera
	transport camera.Transport
	autostart bool
	queue     int
	bundle    string
}

// choose declares a parameter with few values.
func choose(d *ros.Settings, name, value, text string, choices ...string) string {
	v := ros.Setting(d, name, value, text)
	if d.Err == nil && !slices.Contains(choices, v) {
		d.Err = fmt.Errorf("parameter %s is %q; choose one of %q", name, v, choices)
	}
	return v
}

// read declares a parameter whose text stands for a value.
func read[T any](d *ros.Settings, name, value, text string, parse func(string) (T, error)) T {
	v, err := parse(ros.Setting(d, name, value, text))
	if d.Err == nil {
		d.Err = err
	}
	return v
}

// span declares a time in seconds; 0 means none.
func span(d *ros.Settings, name string, value float64, text string) time.Duration {
	seconds := ros.Setting(d, name, value, text+", seconds", 0, 1e6)
	return time.Duration(seconds * float64(time.Second))
}

// orNone is how pairing.Options says that a value was set to nothing.
func orNone[T time.Duration | float64](v T) T {
	if v == 0 {
		return -1
	}
	return v
}

func declareAll(n *ros.Node) (settings, error) {
	d := &ros.Settings{Node: n}
	s := settings{
		autostart: ros.Setting(d, "autostart", true, "record from the start"),
		transport: read(d, "image_transport", string(camera.Auto), camera.Help, camera.ParseTransport),
		queue: int(ros.Setting(d, "queue", int64(60), "images that may wait while the disk is busy",
			1, 10000)),
		bundle: ros.Setting(d, "bundle", "",
			"a learned bundle, for the coverage of its states while recording"),
	}
	region := ros.Setting(d, "region", []float64{},
		"part of the images that matters: x, y, width and height, as shares of theirs; empty is all")
	bits := int(ros.Setting(d, "bits", int64(0), "bits that a sample of 16 uses, such as 12; 0 is all",
		0, 16))
	if d.Err == nil {
		s.camera, d.Err = pixels.CameraOf(region, bits)
	}
	s.recording = recording.Options{
		Directory: ros.Setting(d, "directory", "",
			"bag to make, numbered if it exists; empty names it by date and time"),
		Continue: ros.Setting(d, "continue", false,
			"go on with a recording that is in directory, in its next file"),
		AllFrames: choose(d, "frames", "transitions",
			"record all frames, or those that transitions refer to", "transitions", "all") == "all",
		SplitSize: ros.Setting(d, "split_size", int64(0),
			"bytes after which the bag's next file begins; 0 never", 0, 1e15),
		SplitDuration: span(d, "split_duration", 0,
			"time after which the bag's next file begins; 0 never"),
		MinFree: ros.Setting(d, "min_free", int64(1<<30),
			"bytes to stay free on the disk: recording ends before", 0, 1e15),
		Actions: int(ros.Setting(d, "actions", int64(0),
			"number of actions, to say which were never tried; 0 takes the bundle's", 0, 1e6)),
		Camera: bags.Camera{Region: region, Bits: bits},
		Pairing: pairing.Options{
			Settle: orNone(span(d, "settle", 0.3,
				"from a skill's end to the first image that may be after it")),
			MotionThreshold: orNone(ros.Setting(d, "motion_threshold", 6.0,
				"grey levels that a patch may change in a scene at rest; 0 does not check", 0, 255)),
			MotionWindow: orNone(span(d, "motion_window", 0.1, "over which motion is looked for")),
			Contrast: orNone(ros.Setting(d, "contrast", 4.0,
				"grey levels below which an image shows nothing", 0, 255)),
			MaxAge:  orNone(span(d, "max_age", 1, "of the image before when the skill starts")),
			Timeout: orNone(span(d, "timeout", 5, "for the scene to come to rest after a skill")),
			History: orNone(span(d, "history", 2,
				"of images kept, which bounds how late a status may come")),
			Memory: int(ros.Setting(d, "memory", int64(1<<30),
				"bytes that these may take, or less of them are kept", 1, 1e15)),
		},
	}
	return s, d.Err
}

// imageTopic is of raw images; beside it is that of compressed ones.
const imageTopic = "camera/image_raw"

// names resolves the topics.
func (s *settings) names(n *ros.Node) error {
	o := &s.recording
	for _, t := range []struct {
		to   *string
		name string
	}{{&o.StatusTopic, "skill_status"}, {&o.Bag.TransitionTopic, "transitions"}} {
		name, err := n.Resolve(t.name)
		if err != nil {
			return err
		}
		*t.to = name
	}
	return nil
}
