package appearance_test

import (
	"fmt"

	"stripswm/models/appearance"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/strips"
)

// An image is near its own room and far from the others.
func ExampleLearn() {
	place := func(room strips.StateID) int { return int(room) }
	house := datasettest.RecordHouse(600, place, nil)
	model, err := appearance.Learn(house.Data, house.States, datasettest.Rooms)
	if err != nil {
		fmt.Println(err)
		return
	}
	for room := range strips.StateID(datasettest.Rooms) {
		if model.Distance(house.Data, 0, room) <= 1 {
			fmt.Println("image 0 looks like room", room)
		}
	}
	// Output: image 0 looks like room 0
}
