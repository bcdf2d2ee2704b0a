package dds

/*
#include "endpoint.h"
*/
import "C"

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

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

// A graph tells others which nodes and endpoints this participant has, on each change, and listens
// to what others tell. That is all that `ros2 node list` and `ros2 node info` know of a node.
type graph struct {
	out, in *endpoint
	settled bool // ROS_DISTRO said which layout of the message is spoken here

	mu      sync.Mutex
	gidSize int
	own     discovery
	peers   map[gid]peer
}

// A peer is another participant.
type peer struct {
	*discovery
	gidSize int
	adapts  bool // it takes over the layout of others, as this one may
}

var discoveryQoS = ros.QoS{TransientLocal: true, Depth: 1}

func newGraph(t *Transport, distro string) (*graph, error) {
	g := &graph{settled: distro != "", gidSize: distributionOf(distro).gid,
		own: discovery{participant: t.guid()}, peers: map[gid]peer{}}
	const topic = "ros_discovery_info"
	layout := ""
	if !g.settled {
		layout = "layout=adapts;"
	}
	var err error
	if g.out, err = t.newEndpoint(nil, topic, discoveryType,
		offer{QoS: discoveryQoS, userData: layout}, nil, nil); err != nil {
		return nil, err
	}
	heard := discoveryQoS
	heard.KeepAll = true // one message of each participant, and there is only one instance
	g.mu.Lock()          // hear uses the reader
	defer g.mu.Unlock()
	if g.in, err = t.newEndpoint(nil, topic, discoveryType, offer{QoS: heard}, g.hear,
		nil); err != nil {
		g.out.Close()
		return nil, err
	}
	return g, nil
}

// hear takes the message in either layout; its length tells which one it is.
func (g *graph) hear(r received) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, size := range []int{g.gidSize, humbleGID + ironGID - g.gidSize} {
		info, err := decodeDiscovery(r.payload, size)
		if err != nil {
			continue
		}
		writer, _ := g.in.match(C.dds_instance_handle_t(r.writer))
		g.peers[info.participant] = peer{info, size, writer.key("layout") == "adapts"}
		g.adapt()
		return
	}
}

// adapt publishes in the layout that is read here, where ROS_DISTRO does not say which one that is:
// Iron's if somebody speaks it and nobody Humble's.
func (g *graph) adapt() {
	if g.settled {
		return
	}
	humble, iron, alive := false, false, g.alive()
	for id, p := range g.peers {
		if alive[id] && !p.adapts {
			humble = humble || p.gidSize == humbleGID
			iron = iron || p.gidSize == ironGID
		}
	}
	size := humbleGID
	if iron && !humble {
		size = ironGID
	}
	if size != g.gidSize {
		g.gidSize = size
		g.publish()
	}
}

func (g *graph) addNode(name ros.NodeName) {
	g.change(func() { g.own.nodes = append(g.own.nodes, nodeEntities{name: name}) })
}

func (g *graph) removeNode(name ros.NodeName) {
	g.change(func() {
		if i := g.find(name); i >= 0 {
			g.own.nodes = slices.Delete(g.own.nodes, i, i+1)
		}
	})
}

func (g *graph) find(name ros.NodeName) int {
	return slices.IndexFunc(g.own.nodes, func(n nodeEntities) bool { return n.name == name })
}

func (g *graph) add(name ros.NodeName, e *endpoint) {
	g.with(name, e, func(gids []gid) []gid { return append(gids, e.guid()) })
}

func (g *graph) remove(name ros.NodeName, e *endpoint) {
	g.with(name, e, func(gids []gid) []gid {
		return slices.DeleteFunc(gids, func(id gid) bool { return id == e.guid() })
	})
}

// with changes the node's list that has endpoints of that kind.
func (g *graph) with(name ros.NodeName, e *endpoint, f func([]gid) []gid) {
	g.change(func() {
		i := g.find(name)
		switch {
		case i < 0:
		case bool(e.c.writer):
			g.own.nodes[i].writers = f(g.own.nodes[i].writers)
		default:
			g.own.nodes[i].readers = f(g.own.nodes[i].readers)
		}
	})
}

// change publishes what f made of the own nodes. A failure is not the caller's: the next change
// publishes all again.
func (g *graph) change(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
	g.publish()
}

func (g *graph) publish() {
	if payload, err := g.own.encode(g.gidSize); err == nil {
		_ = g.out.Write(payload)
	}
}

// alive are the participants that have not gone: nobody says so but the transport.
func (g *graph) alive() map[gid]bool {
	alive := map[gid]bool{}
	for _, m := range g.in.matches() {
		alive[m.participant] = true
	}
	return alive
}

func (g *graph) nodes() []ros.NodeName {
	alive := g.alive()
	g.mu.Lock()
	defer g.mu.Unlock()
	var names []ros.NodeName
	for id, info := range g.peers {
		if !alive[id] {
			continue
		}
		for _, n := range info.nodes {
			names = append(names, n.name)
		}
	}
	slices.SortFunc(names, func(a, b ros.NodeName) int { return cmp.Compare(a.String(), b.String()) })
	return names
}

func (g *graph) close() {
	g.out.Close()
	g.in.Close()
}
