package sim

import (
	"fmt"
	"sync"

	"stripswm/models/strips"
)

// The kitchen's size. Places are the cabinets, then the worktops.
const (
	kitchenThings   = 4
	kitchenCabinets = 3
	kitchenPlaces   = kitchenCabinets + 2
)

// kitchen has a gripper that takes things from cabinets and worktops and puts them there. A cabinet
// has a glass door, which has to be open for that. The gripper has to be empty to move a door.
type kitchen struct{ numbered[household] }

// household says where things are; a thing may be inHand.
type household struct {
	things [kitchenThings]int8
	open   [kitchenCabinets]bool
}

const inHand int8 = -1

// kitchenSkill takes a thing from a place, puts it there, or opens or closes the door of a place.
type kitchenSkill struct {
	verb  string
	thing int
	place int8
}

var kitchenThingNames = [kitchenThings]string{"cup", "plate", "bottle", "box"}

func init() { worlds["kitchen"] = func() World { return newKitchen() } }

var newKitchen = sync.OnceValue(func() *kitchen {
	first := household{things: [kitchenThings]int8{0, 1, 3, 4}}
	return &kitchen{number(first, len(kitchenSkills), household.do)}
})

var kitchenSkills = func() (skills []kitchenSkill) {
	for t := range kitchenThings {
		for p := range int8(kitchenPlaces) {
			skills = append(skills, kitchenSkill{"take", t, p}, kitchenSkill{"put", t, p})
		}
	}
	for p := range int8(kitchenCabinets) {
		skills = append(skills, kitchenSkill{"open", 0, p}, kitchenSkill{"close", 0, p})
	}
	return skills
}()

func (h household) do(a strips.ActionID) (household, bool) {
	k := kitchenSkills[a-1]
	empty := true
	for _, at := range h.things {
		empty = empty && at != inHand
	}
	reachable := k.place >= kitchenCabinets || h.open[k.place]
	ok := false
	switch k.verb {
	case "take":
		ok = empty && reachable && h.things[k.thing] == k.place
		h.things[k.thing] = inHand
	case "put":
		ok = reachable && h.things[k.thing] == inHand
		h.things[k.thing] = k.place
	case "open", "close":
		ok = empty && h.open[k.place] == (k.verb == "close")
		h.open[k.place] = k.verb == "open"
	}
	return h, ok
}

func (w *kitchen) Name() string     { return "kitchen" }
func (w *kitchen) Dataset() Dataset { return Dataset{States: 150, Actions: 46, Transitions: 12000} }

func (w *kitchen) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > w.NumActions() {
		return fmt.Sprintf("unknown_%d", a)
	}
	k := kitchenSkills[a-1]
	if k.verb == "open" || k.verb == "close" {
		return fmt.Sprintf("%s_%d", k.verb, k.place)
	}
	return fmt.Sprintf("%s_%s_%d", k.verb, kitchenThingNames[k.thing], k.place)
}

func (w *kitchen) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	text, h := "", w.states[s]
	for t, at := range h.things {
		switch {
		case at == inHand:
			text += kitchenThingNames[t] + " in hand, "
		case at < kitchenCabinets:
			text += fmt.Sprintf("%s in cabinet %d, ", kitchenThingNames[t], at)
		default:
			text += fmt.Sprintf("%s on worktop %d, ", kitchenThingNames[t], at)
		}
	}
	for p, open := range h.open {
		if p > 0 {
			text += ", "
		}
		state := "closed"
		if open {
			state = "open"
		}
		text += fmt.Sprintf("cabinet %d %s", p, state)
	}
	return text
}
