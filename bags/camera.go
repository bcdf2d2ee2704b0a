package bags

import (
	"encoding/json"
	"fmt"

	"stripswm/msgs"
)

// Camera is what whoever recorded knew of the camera, and of what it looks at.
type Camera struct {
	// Region is the part of its images that matters: x, y, width and height, as shares of theirs; nil
	// is all of them.
	Region []float64 `json:"region,omitempty"`
	// Bits is how many of 16 bits a sample uses, the lower ones; 0 is all.
	Bits int `json:"bits,omitempty"`
}

// Message is c as CameraTopic has it.
func (c Camera) Message() (*msgs.String, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("camera: %w", err)
	}
	return &msgs.String{Data: string(data)}, nil
}

// ParseCamera reads what Message wrote.
func ParseCamera(m *msgs.String) (c Camera, err error) {
	if err := json.Unmarshal([]byte(m.Data), &c); err != nil {
		return c, fmt.Errorf("%s: %w", CameraTopic, err)
	}
	return c, nil
}
