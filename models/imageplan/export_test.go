package imageplan

import (
	"cmp"

	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

// Gated gives a Planner that was made with New what Open finds in a bundle.
func Gated(p *Planner, encoder vision.Coder, g *taskgraph.Graph, looks *inference.Network) {
	p.gate = gate{&encoder, identity.NewLocator(g), looks}
	p.options.Trust.Distance = cmp.Or(p.options.Trust.Distance, 1)
}
