package ros

import (
	"errors"
	"time"
)

// A Transport connects one process to one ROS 2 domain. Packages dds and rclgo have one each.
type Transport interface {
	// AddNode makes a node known in the graph; what it returns makes the node's endpoints.
	AddNode(NodeName) (Endpoints, error)
	// Nodes lists the nodes seen in the domain, these ones included, sorted.
	Nodes() []NodeName
	// Close ends all nodes and endpoints.
	Close() error
}

// Endpoints makes and owns the endpoints of one node. Topic and service names are absolute
// ("/camera/image"), types are ROS's ("sensor_msgs/msg/Image", "std_srvs/srv/Trigger"), payloads
// are CDR with the encapsulation header.
//
// The functions given to it run on the transport's one receiving goroutine: they must not wait for
// anything.
type Endpoints interface {
	NewWriter(topic, rosType string, q QoS, refused func(Mismatch)) (Writer, error)
	NewReader(topic, rosType string, q QoS, arrived func(Sample), refused func(Mismatch)) (Reader,
		error)
	NewResponder(service, rosType string, arrived func(Request)) (Responder, error)
	NewCaller(service, rosType string, arrived func(Reply)) (Caller, error)
	Close() error
}

// A Writer sends payloads on a topic.
type Writer interface {
	Write(payload []byte) error // which keeps no part of the payload
	Matched() int               // readers found
	Close() error
}

// A Reader receives payloads of a topic until it is closed.
type Reader interface {
	Matched() int // writers found
	Close() error
}

// A Sample is one message as it arrived. The receiver owns the payload.
type Sample struct {
	Payload  []byte
	Sent     time.Time // by the writer's clock
	Received time.Time
	Writer   uint64 // tells the topic's writers apart
	Number   uint64 // the writer's own count of its samples; 0 if the transport has none
}

// A RequestID identifies one request of a server.
type RequestID struct {
	Client   uint64 // the identity that the client gave itself
	Writer   uint64 // the transport's own handle of where the request came from
	Sequence int64
	Reader   [16]byte // the DDS reader that the reply is for, where the client named it; zero if not
}

// A Request is one call as it arrived at a server.
type Request struct {
	ID      RequestID
	Payload []byte
}

// A Responder answers the requests of a service.
type Responder interface {
	Reply(id RequestID, payload []byte) error
	Close() error
}

// A Reply is the answer to the request of that sequence number.
type Reply struct {
	Sequence int64
	Payload  []byte
}

// A Caller sends requests. Send may be called from several goroutines.
type Caller interface {
	Send(payload []byte) (sequence int64, err error)
	Ready() bool     // a server has been found, and found this client
	Unusable() error // why none of the servers found can be called; nil if there are none, or one can
	Close() error
}

// A Mismatch says that an endpoint of the other side was found, and that the two do not talk.
type Mismatch struct {
	Policy string // the last policy that differed: "reliability"
}

// ErrClosed is returned by operations on what has been closed.
var ErrClosed = errors.New("closed")

// A NodeName is a namespace ("/", "/rig") and a name within it.
type NodeName struct {
	Namespace, Name string
}

// String is the fully qualified name: "/rig/recorder".
func (n NodeName) String() string {
	if n.Namespace == "/" {
		return "/" + n.Name
	}
	return n.Namespace + "/" + n.Name
}
