package bags

import (
	"encoding/json"
	"fmt"

	"stripswm/msgs"
)

// Clocks is how far those of camera and skill executor were from the clock of who recorded: the
// seconds from stamp to receipt, at least. They are less than zero of a clock that is ahead, and 0
// where nothing is known.
type Clocks struct {
	Camera   float64 `json:"camera"`
	Executor float64 `json:"skill_status"`
}

// Message is c as ClocksTopic has it.
func (c Clocks) Message() (*msgs.String, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("clocks: %w", err)
	}
	return &msgs.String{Data: string(data)}, nil
}
