package bags

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

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
	// ResetTopic has a message wherever the next attempt does not find the scene that the last one
	// left: somebody changed it, or an attempt between them is not in the recording. The text says
	// why, for people.
	ResetTopic = "/scene_reset"
	// NamesTopic has one message with the names of actions 1, 2, ..., a line each.
	NamesTopic = "/skill_names"
	// SimulationTopic has one message, a Simulation, if the recording is of one.
	SimulationTopic = "/simulation"
	// CameraTopic has one message, a Camera, if anything is known of the camera.
	CameraTopic = "/camera_settings"
	// ClocksTopic has a message, Clocks, before the first attempt and whenever they have changed.
	ClocksTopic = "/clocks"
)

// A Topic is one topic of a recording.
type Topic struct {
	Name   string // "/camera/image"
	Type   string // "sensor_msgs/msg/Image"
	Schema string // full definition; "" if the recording does not have it
	QoS    string // offered QoS profiles, YAML as rosbag2 writes it

	// Encoding of messages that are not in CDR, such as "json"; they are passed on as they are.
	Encoding string
	// SchemaEncoding of a definition that is not in ros2msg format, such as "ros2idl".
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
	return t.IsCDR() && (t.Type == imageType || t.Type == compressedType)
}

// IsTransition reports whether the topic holds transitions.
func (t *Topic) IsTransition() bool { return t.IsCDR() && t.Type == transitionType }

// NewTopic returns a topic of a type in package msgs, with the QoS that its publishers commonly
// offer: sensor data for images, reliable for everything else.
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

// A Message is one recorded message.
type Message struct {
	Topic     *Topic
	Received  int64 // ns since the epoch, by the recorder's clock
	Published int64 // ns since the epoch, as the publisher says; equal to Received if it does not say
	Sequence  uint32
	Data      []byte // CDR with its encapsulation header; not to be changed

	at location
}

// Decode reads the message into m, whose type must be the topic's. Byte sequences in m are parts of
// Data.
func (m *Message) Decode(into msgs.Message) error {
	if !m.Topic.IsCDR() {
		return fmt.Errorf("topic %s: %w: it is encoded in %q, not in cdr", m.Topic.Name, ErrUnsupported,
			m.Topic.Encoding)
	}
	if m.Topic.Type != into.ROSType() {
		return fmt.Errorf("topic %s holds %s, not %s", m.Topic.Name, m.Topic.Type, into.ROSType())
	}
	return msgs.UnmarshalNoCopy(m.Data, into)
}

// A location is where a message's payload can be found again.
type location struct {
	file   int   // in the order of the recording's files
	record int64 // offset of the chunk or message record; row of a database, line of a table
	off, n int   // the payload in the chunk's or record's contents
}

// ByTime sorts messages of one recording by their receive times: programs that rewrite bags write
// one topic after the other, or each into its own file.
//
// If the times of a topic go back within a file by more than a clock is adjusted by, the recorder's
// clock was set back, as a simulation does, and times tell no order. Then the messages keep their
// order, and ByTime returns how far the times go back.
func ByTime(list []Message) (back time.Duration) {
	type place struct {
		file  int
		topic *Topic
	}
	last := map[place]int64{}
	for _, m := range list {
		at := place{m.at.file, m.Topic}
		back = max(back, time.Duration(last[at]-m.Received))
		last[at] = m.Received
	}
	if back > clockAdjusted {
		return back
	}
	slices.SortStableFunc(list, func(a, b Message) int { return cmp.Compare(a.Received, b.Received) })
	return 0
}

// A visitor is told what a data file holds, from front to back. All but message and fault may be
// nil. message and fault return false to end the scan.
type visitor struct {
	message func(Message) bool
	fault   func(*Fault) bool
	// lost is told of messages in damaged records, as far as they can be made out.
	lost func(t *Topic, sequence uint32)
	// counted is told how many messages of a topic the file's own statistics name.
	counted func(t *Topic, n uint64)
	// strict asks for checks that reading alone does not need: CRCs of whole sections, indexes,
	// statistics.
	strict bool
	// progress is told how many more bytes were gone through.
	progress func(n int64)
}

// A dataFile is one file of a recording.
type dataFile interface {
	scan(v *visitor)
	// load returns the payload at the location of a message that scan told of.
	load(at location) ([]byte, error)
	bytes() int64 // that progress is told of in all
	close() error
}

// topicSet shares one Topic a name among the files of a recording.
type topicSet map[string]*Topic

func (s topicSet) add(t Topic) (*Topic, error) {
	known := s[t.Name]
	if known == nil {
		s[t.Name] = &t
		return &t, nil
	}
	if known.Type != t.Type || known.Encoding != t.Encoding {
		return nil, fmt.Errorf("topic %s is %s here and %s before", t.Name, t.kind(), known.kind())
	}
	return known, nil
}

// Simulation says which simulated world was recorded, and how.
type Simulation struct {
	World string `json:"world"`
	Seed  uint64 `json:"seed"` // of the part of the world that was explored
	// Whole says that the robot went wherever its skills lead: none was refused to keep it within a
	// part of the world.
	Whole bool `json:"whole,omitempty"`
	// How the robot chose, unless a rig was recorded: the same policy makes the same attempts again.
	Policy      string  `json:"policy,omitempty"`
	Transitions int     `json:"transitions,omitempty"` // that it was to make
	Resets      float64 `json:"resets,omitempty"`      // share of attempts
	Failures    float64 `json:"failures,omitempty"`    // likewise
}

// String says which world, how much of it, and the seed.
func (s Simulation) String() string {
	states := "explored"
	if s.Whole {
		states = "all"
	}
	return fmt.Sprintf("world %s, %s states, seed %d", s.World, states, s.Seed)
}

// Camera is what was known of the camera when it was recorded.
type Camera struct {
	// Region is the part of the images that matters: x, y, width and height, as shares of the image;
	// nil is the whole image.
	Region []float64 `json:"region,omitempty"`
	// Bits is how many of the 16 bits of a sample are used, the lower ones; 0 is all.
	Bits int `json:"bits,omitempty"`
}

// Clocks has, for camera and skill executor, the smallest number of seconds from stamp to receipt.
// It is negative if that clock is ahead of the recorder's, and 0 if nothing is known.
type Clocks struct {
	Camera   float64 `json:"camera"`
	Executor float64 `json:"skill_status"`
}

// Parse reads a message of SimulationTopic, CameraTopic or ClocksTopic, which Writer.Tell wrote.
func Parse[T Simulation | Camera | Clocks](m *msgs.String) (v T, err error) {
	if err := json.Unmarshal([]byte(m.Data), &v); err != nil {
		return v, fmt.Errorf("a %T in a recording: %w", v, err)
	}
	return v, nil
}
