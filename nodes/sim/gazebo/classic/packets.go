package classic

import (
	"net"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"stripswm/nodes/sim/gazebo/internal/message"
)

// packet is what master and peers tell each other about topics.
type packet struct {
	kind string
	data []byte
}

// marshal writes gazebo.msgs.Packet, which has to have a stamp, that nobody reads.
func (p packet) marshal() []byte {
	var b []byte
	b = message.Bytes(b, 1, message.Varint(message.Varint(nil, 1, 0), 2, 0))
	b = message.Text(b, 2, p.kind)
	return message.Bytes(b, 3, p.data)
}

func parsePacket(data []byte) (p packet, err error) {
	err = message.Fields(data, func(f message.Field) error {
		switch f.Number {
		case 2:
			p.kind = string(f.Bytes)
		case 3:
			p.data = f.Bytes
		}
		return nil
	})
	return p, err
}

// endpoint is who has a topic, or wants it: gazebo.msgs.Publish and Subscribe, whose fields
// are numbered in different orders.
type endpoint struct {
	topic, kind string // kind such as gazebo.msgs.Model
	host        string
	port        int
}

func (e endpoint) address() string { return net.JoinHostPort(e.host, strconv.Itoa(e.port)) }

func (e endpoint) publish() []byte {
	b := message.Text(nil, 1, e.topic)
	b = message.Text(b, 2, e.kind)
	b = message.Text(b, 3, e.host)
	return message.Varint(b, 4, uint64(e.port))
}

func parsePublish(data []byte) (endpoint, error) { return parseEndpoint(data, 1, 2, 3, 4) }

func (e endpoint) subscribe() []byte {
	b := message.Text(nil, 1, e.topic)
	b = message.Text(b, 2, e.host)
	b = message.Varint(b, 3, uint64(e.port))
	b = message.Text(b, 4, e.kind)
	return message.Varint(b, 5, 0) // no latching: what was before is of no use
}

func parseSubscribe(data []byte) (endpoint, error) { return parseEndpoint(data, 1, 4, 2, 3) }

// parseEndpoint reads one whose fields have these numbers.
func parseEndpoint(data []byte, topic, kind, host, port protowire.Number) (e endpoint, err error) {
	err = message.Fields(data, func(f message.Field) error {
		switch f.Number {
		case topic:
			e.topic = string(f.Bytes)
		case kind:
			e.kind = string(f.Bytes)
		case host:
			e.host = string(f.Bytes)
		case port:
			e.port = int(uint16(f.Value))
		}
		return nil
	})
	return e, err
}

// parseStrings reads gazebo.msgs.GzString and GzString_V.
func parseStrings(data []byte) (all []string, err error) {
	err = message.Fields(data, func(f message.Field) error {
		if f.Number == 1 {
			all = append(all, string(f.Bytes))
		}
		return nil
	})
	return all, err
}
