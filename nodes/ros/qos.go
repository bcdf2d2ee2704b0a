package ros

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// QoS is the quality of service that an endpoint offers or asks for. The zero QoS is not usable;
// begin with a profile:
//
//	q := ros.SensorData
//	q.Depth = 1
type QoS struct {
	BestEffort     bool          // may lose messages instead of sending them again
	TransientLocal bool          // a late subscription gets the last Depth messages
	KeepAll        bool          // no bound; Depth does not count
	Depth          int           // messages kept, 1 or more
	Lifespan       time.Duration // after which a message is not delivered any more; 0 is for ever
}

// ROS 2's profiles (rmw/qos_profiles.h), and those it uses for its own topics.
var (
	Default         = QoS{Depth: 10}
	SensorData      = QoS{BestEffort: true, Depth: 5}
	Parameters      = QoS{Depth: 1000}
	ParameterEvents = QoS{Depth: 1000}
	SystemDefault   = QoS{Depth: 1}
	Latched         = QoS{TransientLocal: true, Depth: 1}
	ClockQoS        = QoS{BestEffort: true, Depth: 1}
	Rosout          = QoS{TransientLocal: true, Depth: 1000, Lifespan: 10 * time.Second}
)

var profiles = map[string]QoS{
	"default":          Default,
	"sensor_data":      SensorData,
	"services_default": {Depth: 10},
	"parameters":       Parameters,
	"parameter_events": ParameterEvents,
	"system_default":   SystemDefault,
	"clock":            ClockQoS,
	"rosout_default":   Rosout,
}

// Calls is the QoS of requests and replies. ROS 2's own profile keeps ten: of more calls at once
// the oldest would be lost without a word, and their clients would wait for ever.
var Calls = QoS{KeepAll: true}

// QoSProfile returns the profile of ROS's name ("sensor_data"), as parameter files give it.
func QoSProfile(name string) (QoS, error) {
	q, ok := profiles[name]
	if !ok {
		return QoS{}, fmt.Errorf("qos profile %q is not one of %s", name,
			strings.Join(slices.Sorted(maps.Keys(profiles)), ", "))
	}
	return q, nil
}

// String is the profile in ROS's words: "reliable volatile keep_last(10)".
func (q QoS) String() string {
	words := []string{"reliable", "volatile", fmt.Sprintf("keep_last(%d)", q.Depth)}
	if q.BestEffort {
		words[0] = "best_effort"
	}
	if q.TransientLocal {
		words[1] = "transient_local"
	}
	if q.KeepAll {
		words[2] = "keep_all"
	}
	return strings.Join(words, " ")
}

func (q QoS) check() error {
	if !q.KeepAll && q.Depth < 1 {
		return fmt.Errorf("qos depth is %d: it must be 1 or more", q.Depth)
	}
	if q.Lifespan < 0 {
		return fmt.Errorf("qos lifespan is %v: it must not be negative", q.Lifespan)
	}
	return nil
}
