package bags

import (
	"cmp"
	"fmt"
	"strings"

	"stripswm/msgs"
)

// ROS types with a meaning of their own in a recording.
var (
	imageType      = (*msgs.Image)(nil).ROSType()
	compressedType = (*msgs.CompressedImage)(nil).ROSType()
	transitionType = (*msgs.Transition)(nil).ROSType()
)

// Topics of std_msgs/String with a meaning of their own.
const (
	// ResetTopic has a message where the next attempt does not find what the last one left: somebody
	// changed the scene, or an attempt between them is not in the recording. The text says why, for
	// people.
	ResetTopic = "/scene_reset"
	// NamesTopic names the actions 1, 2, ..., a line each, in one message.
	NamesTopic = "/skill_names"
	// SimulationTopic has a Simulation where there is one, in one message.
	SimulationTopic = "/simulation"
	// CameraTopic has a Camera where there is something to know of it, in one message.
	CameraTopic = "/camera_settings"
	// ClocksTopic has Clocks before the first attempt, and again when they have changed.
	ClocksTopic = "/clocks"
)

// A Topic is one topic of a recording.
type Topic struct {
	Name   string // "/camera/image"
	Type   string // "sensor_msgs/msg/Image"
	Schema string // full definition; "" if the recording does not have it
	QoS    string // offered QoS profiles, YAML as rosbag2 writes it

	// Encoding is that of messages which are not in CDR, such as "json". Such messages are passed on
	// as they are: nothing here decodes them.
	Encoding string
	// SchemaEncoding is that of a definition which is not in ros2msg format, such as "ros2idl".
	SchemaEncoding string
}

// String is name and type, for messages to people: "/skill (std_msgs/msg/String)".
func (t *Topic) String() string { return t.Name + " (" + t.Type + ")" }

// IsCDR reports whether the messages are encoded as ROS 2 does.
func (t *Topic) IsCDR() bool { return t.Encoding == "" }

// What bags call ROS 2's encodings of messages and of their definitions.
const (
	cdr     = "cdr"
	ros2msg = "ros2msg"
)

// kind is type and encoding, for messages to people.
func (t *Topic) kind() string { return t.Type + " in " + cmp.Or(t.Encoding, cdr) }

// IsImage reports whether transitions can refer to the topic's messages.
func (t *Topic) IsImage() bool {
	return t.IsCDR() &&
		(t.Type == imageType || t.Type == compressedType)
}

// IsTransition reports whether the topic holds transitions.
func (t *Topic) IsTransition() bool { return t.IsCDR() && t.Type == transitionType }

// NewTopic returns a topic of a type in package msgs, with the QoS its publishers commonly offer:
// sensor data for images, reliable for everything else.
func NewTopic(name, rosType string) (Topic, error) {
	schema, ok := msgs.Schema(rosType)
	if !ok {
		return Topic{}, fmt.Errorf("topic %s: no definition of type %q; give its schema", name, rosType)
	}
	t := Topic{Name: name, Type: rosType, Schema: schema}
	t.QoS = QoS{Reliable: true, Depth: 10}.YAML()
	if t.IsImage() {
		t.QoS = QoS{Depth: 5}.YAML()
	}
	return t, nil
}

// QoS is the part of a ROS 2 QoS profile that publishers vary; history is keep last.
type QoS struct {
	Reliable       bool
	TransientLocal bool
	Depth          int
}

// YAML returns the profile as rosbag2 stores it: a list of one, with the numbers of rmw's
// enumerations and infinite deadline, lifespan and lease.
func (q QoS) YAML() string {
	reliability, durability := 2, 2 // best effort, volatile
	if q.Reliable {
		reliability = 1
	}
	if q.TransientLocal {
		durability = 1
	}
	const infinite = "\n    sec: 9223372036\n    nsec: 854775807\n"
	var b strings.Builder
	fmt.Fprintf(&b, "- history: 1\n  depth: %d\n  reliability: %d\n  durability: %d\n", q.Depth,
		reliability, durability)
	b.WriteString("  deadline:" + infinite + "  lifespan:" + infinite)
	b.WriteString("  liveliness: 1\n  liveliness_lease_duration:" + infinite)
	b.WriteString("  avoid_ros_namespace_conventions: false")
	return b.String()
}
