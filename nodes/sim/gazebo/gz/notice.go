package gz

import (
	"encoding/binary"
	"fmt"

	"stripswm/nodes/sim/gazebo/internal/message"
)

// kind is what a notice tells: gz.msgs.Discovery.Type.
type kind uint64

const (
	advertise kind = 1 + iota
	subscribe
	unadvertise
	heartbeat
	bye
	newConnection
)

// notice is gz.msgs.Discovery: what processes tell one another about topics and services.
type notice struct {
	process string
	kind    kind
	topic   string      // that is wanted
	pub     publication // that is there
}

// publication is who has a topic or a service, and where.
type publication struct {
	topic, address, process, node string

	// of topics: the publisher's process, where it is told that it is wanted; and the type
	control, message string

	socket, request, response string // of services: the socket's identity, and the types
}

// wireVersion is that of gz-transport 8 to 13.
const wireVersion = 10

// maxNotice is what a datagram holds.
const maxNotice = 1 << 16

// marshal writes a datagram: the length, then the message.
func (n notice) marshal() []byte {
	b := message.Varint(nil, 2, wireVersion)
	b = message.Text(b, 3, n.process)
	b = message.Varint(b, 4, uint64(n.kind))
	switch n.kind {
	case subscribe:
		b = message.Bytes(b, 6, message.Text(nil, 1, n.topic))
	case advertise, unadvertise, newConnection:
		b = message.Bytes(b, 7, n.pub.marshal())
	}
	return append(binary.LittleEndian.AppendUint16(nil, uint16(len(b))), b...)
}

// everywhere is the scope of what other machines may have too.
const everywhere = 2

func (p publication) marshal() []byte {
	b := message.Text(nil, 1, p.topic)
	b = message.Text(b, 2, p.address)
	b = message.Text(b, 3, p.process)
	b = message.Text(b, 4, p.node)
	b = message.Varint(b, 5, everywhere)
	if p.socket != "" {
		return message.Bytes(b, 7, message.Text(message.Text(message.Text(nil, 1, p.socket), 2,
			p.request), 3, p.response))
	}
	return message.Bytes(b, 6, message.Text(message.Text(nil, 1, p.control), 2, p.message))
}

// parseNotice reads a datagram. Those of other versions of the wire are errors too.
func parseNotice(datagram []byte) (n notice, err error) {
	if len(datagram) < 2 || int(binary.LittleEndian.Uint16(datagram)) != len(datagram)-2 {
		return n, fmt.Errorf("%w: a notice of %d bytes with another length in it", message.ErrWire,
			len(datagram))
	}
	version := uint64(0)
	err = message.Fields(datagram[2:], func(f message.Field) (err error) {
		switch f.Number {
		case 2:
			version = f.Value
		case 3:
			n.process = string(f.Bytes)
		case 4:
			n.kind = kind(f.Value)
		case 6:
			err = texts(f.Bytes, &n.topic)
		case 7:
			n.pub, err = parsePublication(f.Bytes)
		}
		return err
	})
	if err == nil && version != wireVersion {
		err = fmt.Errorf("%w: version %d of the wire; want %d", message.ErrWire, version, wireVersion)
	}
	return n, err
}

func parsePublication(data []byte) (p publication, err error) {
	err = message.Fields(data, func(f message.Field) error {
		switch f.Number {
		case 1:
			p.topic = string(f.Bytes)
		case 2:
			p.address = string(f.Bytes)
		case 3:
			p.process = string(f.Bytes)
		case 4:
			p.node = string(f.Bytes)
		case 6:
			return texts(f.Bytes, &p.control, &p.message)
		case 7:
			return texts(f.Bytes, &p.socket, &p.request, &p.response)
		}
		return nil
	})
	return p, err
}

// texts reads fields of text that are numbered from 1.
func texts(data []byte, into ...*string) error {
	return message.Fields(data, func(f message.Field) error {
		if i := int(f.Number) - 1; i < len(into) {
			*into[i] = string(f.Bytes)
		}
		return nil
	})
}
