package bags

import (
	"encoding/json"
	"fmt"

	"stripswm/msgs"
)

// Simulation says of which simulated world a recording is.
type Simulation struct {
	World string `json:"world"`
	Seed  uint64 `json:"seed"` // of the part of the world that was explored
	// Whole says that the robot went wherever its skills lead, and nothing was refused without a rule.
	Whole bool `json:"whole,omitempty"`
	// How the robot chose, where no rig was recorded: the policy makes the same attempts again.
	Policy      string  `json:"policy,omitempty"`
	Transitions int     `json:"transitions,omitempty"` // that it was to make
	Resets      float64 `json:"resets,omitempty"`      // share of attempts
	Failures    float64 `json:"failures,omitempty"`    // likewise
}

// String says which world, how much of it, and the seed.
func (s Simulation) String() string {
	states := "explored"
	if s.Whole {
		states = "all"
	}
	return fmt.Sprintf("world %s, %s states, seed %d", s.World, states, s.Seed)
}

// Message is s as SimulationTopic has it.
func (s Simulation) Message() (*msgs.String, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("simulation: %w", err)
	}
	return &msgs.String{Data: string(data)}, nil
}

// ParseSimulation reads what Message wrote.
func ParseSimulation(m *msgs.String) (*Simulation, error) {
	var s Simulation
	if err := json.Unmarshal([]byte(m.Data), &s); err != nil {
		return nil, fmt.Errorf("%s: %w", SimulationTopic, err)
	}
	return &s, nil
}
