package bags

import "fmt"

// A Class says what can be done with a recording.
type Class int

const (
	// Intact: every check passed.
	Intact Class = iota
	// Repairable: something is wrong, and Repair makes a whole recording of the rest.
	Repairable
	// Unusable: not one message is whole.
	Unusable
)

// String returns "intact", "repairable" or "unusable".
func (c Class) String() string {
	switch c {
	case Intact:
		return "intact"
	case Repairable:
		return "repairable"
	case Unusable:
		return "unusable"
	}
	return fmt.Sprintf("class %d", int(c))
}

// ExitCode is what a program that checks recordings exits with: 0 intact, 3 repairable (or
// repaired), 1 unusable.
func (c Class) ExitCode() int {
	switch c {
	case Intact:
		return 0
	case Repairable:
		return 3
	}
	return 1
}

// MarshalText is String, for JSON.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
