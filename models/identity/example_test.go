package identity_test

import (
	"fmt"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/identity"
	"stripswm/models/strips"
)

// Both corridors of a house have one code, and both cellars. Their images differ.
func ExampleSplit() {
	place := func(room strips.StateID) int { return int(room) }
	house := datasettest.RecordHouse(1500, place, nil)
	codes := make([]identity.Code, len(house.States))
	for image, room := range house.States {
		codes[image] = []identity.Code{"0", "1", "1", "3", "3"}[room]
	}
	codes = identity.Split(house.Data, identity.Refine(house.Data, codes))
	actions := []string{"left", "right", "back", "back", "down", "up"}
	graph, err := identity.TaskGraph(house.Data, codes, actions)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(graph.NumStates(), "states;", "code 1 shows",
		len(identity.NewLocator(graph).Candidates("1")))
	// Output: 5 states; code 1 shows 2
}
