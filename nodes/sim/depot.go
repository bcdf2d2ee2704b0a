package sim

import (
	"fmt"
	"sync"

	"stripswm/models/strips"
)

// The depot's size.
const (
	depotSites   = 5
	depotTrucks  = 2
	depotParcels = 3
)

// depot has two trucks that drive between five sites, load the parcels that lie where they stand,
// and unload them. A truck has room for all parcels.
type depot struct{ numbered[deliveries] }

// deliveries says where things are: sites from 0, and for parcels depotSites and more for a truck.
type deliveries struct {
	trucks  [depotTrucks]int8
	parcels [depotParcels]int8
}

// depotSkill drives truck from one site to another, or loads or unloads parcel at site from.
type depotSkill struct {
	verb          string
	parcel, truck int
	from, to      int8
}

func init() { worlds["depot"] = func() World { return newDepot() } }

var newDepot = sync.OnceValue(func() *depot {
	first := deliveries{trucks: [depotTrucks]int8{0, 3}, parcels: [depotParcels]int8{1, 2, 4}}
	return &depot{number(first, len(depotSkills), deliveries.do)}
})

var depotSkills = func() (skills []depotSkill) {
	for t := range depotTrucks {
		for from := range int8(depotSites) {
			for to := range int8(depotSites) {
				if from != to {
					skills = append(skills, depotSkill{"drive", 0, t, from, to})
				}
			}
		}
	}
	for p := range depotParcels {
		for t := range depotTrucks {
			for at := range int8(depotSites) {
				skills = append(skills, depotSkill{"load", p, t, at, at},
					depotSkill{"unload", p, t, at, at})
			}
		}
	}
	return skills
}()

func (d deliveries) do(a strips.ActionID) (deliveries, bool) {
	k := depotSkills[a-1]
	if d.trucks[k.truck] != k.from {
		return d, false
	}
	aboard, ok := int8(depotSites+k.truck), true
	switch k.verb {
	case "drive":
		d.trucks[k.truck] = k.to
	case "load":
		ok = d.parcels[k.parcel] == k.from
		d.parcels[k.parcel] = aboard
	case "unload":
		ok = d.parcels[k.parcel] == aboard
		d.parcels[k.parcel] = k.from
	}
	return d, ok
}

func (w *depot) Name() string     { return "depot" }
func (w *depot) Dataset() Dataset { return Dataset{States: 200, Actions: 100, Transitions: 12000} }

func (w *depot) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > w.NumActions() {
		return fmt.Sprintf("unknown_%d", a)
	}
	k := depotSkills[a-1]
	if k.verb == "drive" {
		return fmt.Sprintf("drive_%d_%d_%d", k.truck, k.from, k.to)
	}
	return fmt.Sprintf("%s_%d_%d_%d", k.verb, k.parcel, k.truck, k.from)
}

func (w *depot) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	text, d := "", w.states[s]
	for t, at := range d.trucks {
		text += fmt.Sprintf("truck %d at site %d, ", t, at)
	}
	for p, at := range d.parcels {
		if p > 0 {
			text += ", "
		}
		if at >= depotSites {
			text += fmt.Sprintf("parcel %d in truck %d", p, at-depotSites)
		} else {
			text += fmt.Sprintf("parcel %d at site %d", p, at)
		}
	}
	return text
}
