package classic

import (
	"net"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// packet is what master and peers tell each other about topics.
type packet struct {
	kind string
	data []byte
}

// marshal writes gazebo.msgs.Packet, which has to have a stamp, that nobody reads.
func (p packet) marshal() []byte {
	var b []byte
	b = appendBytes(b, 1, appendVarint(appendVarint(nil, 1, 0), 2, 0))
	b = appendBytes(b, 2, []byte(p.kind))
	return appendBytes(b, 3, p.data)
}

func parsePacket(message []byte) (p packet, err error) {
	err = fields(message, func(f field) error {
		switch f.number {
		case 2:
			p.kind = string(f.bytes)
		case 3:
			p.data = f.bytes
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
	b := appendBytes(nil, 1, []byte(e.topic))
	b = appendBytes(b, 2, []byte(e.kind))
	b = appendBytes(b, 3, []byte(e.host))
	return appendVarint(b, 4, uint64(e.port))
}

func parsePublish(message []byte) (endpoint, error) { return parseEndpoint(message, 1, 2, 3, 4) }

func (e endpoint) subscribe() []byte {
	b := appendBytes(nil, 1, []byte(e.topic))
	b = appendBytes(b, 2, []byte(e.host))
	b = appendVarint(b, 3, uint64(e.port))
	b = appendBytes(b, 4, []byte(e.kind))
	return appendVarint(b, 5, 0) // no latching: what was before is of no use
}

func parseSubscribe(message []byte) (endpoint, error) { return parseEndpoint(message, 1, 4, 2, 3) }

// parseEndpoint reads one whose fields have these numbers.
func parseEndpoint(message []byte, topic, kind, host, port protowire.Number) (e endpoint, err error) {
	err = fields(message, func(f field) error {
		switch f.number {
		case topic:
			e.topic = string(f.bytes)
		case kind:
			e.kind = string(f.bytes)
		case host:
			e.host = string(f.bytes)
		case port:
			e.port = int(uint16(f.value))
		}
		return nil
	})
	return e, err
}

// parseStrings reads gazebo.msgs.GzString and GzString_V.
func parseStrings(message []byte) (all []string, err error) {
	err = fields(message, func(f field) error {
		if f.number == 1 {
			all = append(all, string(f.bytes))
		}
		return nil
	})
	return all, err
}

func appendBytes(b []byte, number protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
}

func appendVarint(b []byte, number protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), v)
}
