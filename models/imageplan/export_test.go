package imageplan

import (
	"cmp"

	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

// Checked gives a Planner that was made with New what Open finds in a bundle.
func Checked(p *Planner, encoder vision.Coder, g *taskgraph.Graph, appearance *inference.Network) {
	p.check = check{&encoder, identity.NewLocator(g), appearance}
	p.options.Thresholds.Distance = cmp.Or(p.options.Thresholds.Distance, 1)
}
