package dds

import (
	"fmt"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// A gid is a GUID as ros_discovery_info carries it.
type gid [16]byte

// The message has gids of 24 bytes, of which 16 are used, up to Humble, and of 16 bytes from Iron
// on.
const (
	humbleGID = 24
	ironGID   = 16
)

// A nodeEntities is rmw_dds_common/msg/NodeEntitiesInfo.
type nodeEntities struct {
	name             ros.NodeName
	readers, writers []gid
}

// A discovery is rmw_dds_common/msg/ParticipantEntitiesInfo: the nodes of one participant and their
// endpoints.
type discovery struct {
	participant gid
	nodes       []nodeEntities
}

const discoveryType = "rmw_dds_common/msg/ParticipantEntitiesInfo"

func (d *discovery) encode(size int) ([]byte, error) {
	e := msgs.NewEncoder(nil, msgs.LittleEndian)
	putGID := func(g gid) {
		for i := range size {
			if i < len(g) {
				e.PutUint8(g[i])
			} else {
				e.PutUint8(0)
			}
		}
	}
	putGIDs := func(gids []gid) {
		e.PutLen(len(gids))
		for _, g := range gids {
			putGID(g)
		}
	}
	putGID(d.participant)
	e.PutLen(len(d.nodes))
	for _, n := range d.nodes {
		e.PutString(n.name.Namespace)
		e.PutString(n.name.Name)
		putGIDs(n.readers)
		putGIDs(n.writers)
	}
	return e.Bytes()
}

func decodeDiscovery(payload []byte, size int) (*discovery, error) {
	d := msgs.NewDecoder(payload)
	getGID := func() (g gid) {
		for i := range size {
			b := d.GetUint8()
			if i < len(g) {
				g[i] = b
			}
		}
		return g
	}
	getGIDs := func() []gid {
		gids := make([]gid, d.GetLen(size))
		for i := range gids {
			gids[i] = getGID()
		}
		return gids
	}
	info := &discovery{participant: getGID()}
	for range d.GetLen(16) { // two strings and two sequences take 16 bytes at least
		n := nodeEntities{name: ros.NodeName{Namespace: d.GetString(), Name: d.GetString()}}
		n.readers, n.writers = getGIDs(), getGIDs()
		info.nodes = append(info.nodes, n)
		if d.Err() != nil {
			break
		}
	}
	if err := d.Finish(); err != nil {
		return nil, fmt.Errorf("decode %s: %w", discoveryType, err)
	}
	return info, nil
}
