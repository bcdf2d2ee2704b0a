package ros

import (
	"context"
	"time"
)

// namesakeEvery is how often a node looks whether another has its name.
const namesakeEvery = time.Second

// watchNamesakes warns while another node of the domain has this one's name, as where a second
// system was started beside the first: whoever calls a service or sets a parameter by that name
// then reaches either.
func (n *Node) watchNamesakes(ctx context.Context, t Transport) {
	ticker := time.NewTicker(namesakeEvery)
	defer ticker.Stop()
	known := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		others := -1
		for _, name := range t.Nodes() {
			if name == n.name {
				others++
			}
		}
		if ctx.Err() != nil { // it is about to leave, or has left
			return
		}
		switch {
		case others > known:
			n.log.Warn(
				"another node of this domain has the same name (a killed one for some seconds more); rename "+
					"one with -r __ns:=/other, or give it another ROS_DOMAIN_ID", "name", n.name, "others", others)
		case others <= 0 && known > 0:
			n.log.Info("no other node has the same name any more", "name", n.name)
		}
		known = max(0, others)
	}
}
