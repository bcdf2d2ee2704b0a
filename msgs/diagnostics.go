package msgs

import "fmt"

// Add appends a value to the status, formatted as by fmt.Sprintf.
func (m *DiagnosticStatus) Add(key, format string, args ...any) {
	m.Values = append(m.Values, KeyValue{Key: key, Value: fmt.Sprintf(format, args...)})
}
