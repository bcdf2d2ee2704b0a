package bags

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stripswm/msgs"
)

// maxFaults is how many faults a Report lists; it counts all.
const maxFaults = 100

// A Report is what Check found in a recording.
type Report struct {
	Path         string         `json:"path"`
	Class        Class          `json:"class"`
	Bytes        int64          `json:"bytes"`
	Messages     int            `json:"messages"` // whole ones
	Topics       []TopicReport  `json:"topics"`   // by name
	Images       int            `json:"images"`
	Transitions  int            `json:"transitions"` // attempts; Succeeded + Refused + Failed
	Succeeded    int            `json:"succeeded"`
	Refused      int            `json:"refused"`
	Failed       int            `json:"failed"`
	Amended      int            `json:"amended"` // attempts whose outcome was changed afterwards
	Actions      map[uint32]int `json:"actions"` // attempts by action id
	Start        time.Time      `json:"start"`   // receive time of the first message
	Duration     time.Duration  `json:"duration_ns"`
	Lost         int            `json:"lost"` // transitions that were begun but are not whole, as far as is known
	FaultCount   int            `json:"fault_count"`
	Faults       []*Fault       `json:"faults"`          // the first ones
	Notes        []string       `json:"notes,omitempty"` // what is odd or was not checked
	killed       bool           // nothing is wrong but what a kill leaves
	end          int64
	startNs      int64
	topicsByName map[string]*TopicReport
}

// A TopicReport sums up one topic.
type TopicReport struct {
	Name     string         `json:"name"`
	Type     string         `json:"type"`
	Messages int            `json:"messages"`
	Formats  map[string]int `json:"formats,omitempty"`  // of images: "64x64 rgb8"
	Encoding string         `json:"encoding,omitempty"` // of messages that are not in CDR
}

func (r *Report) add(f *Fault) {
	r.FaultCount++
	if len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, f)
	}
}

func (r *Report) topic(t *Topic) *TopicReport {
	known := r.topicsByName[t.Name]
	if known == nil {
		known = &TopicReport{Name: t.Name, Type: t.Type, Encoding: t.Encoding}
		r.topicsByName[t.Name] = known
	}
	return known
}

// sizes are the sizes of the images, "64x48", with how many of each there are.
func (t *TopicReport) sizes() []string {
	counts := map[string]int{}
	for format, n := range t.Formats {
		size, _, _ := strings.Cut(format, " ")
		counts[size] += n
	}
	var list []string
	for _, size := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s (%d)", size, counts[size]))
	}
	return list
}

func (r *Report) received(ns int64) {
	if r.Messages == 0 || ns < r.startNs {
		r.startNs = ns
	}
	if r.Messages == 0 || ns > r.end {
		r.end = ns
	}
}

// finish sets what follows from the rest.
func (r *Report) finish() {
	for _, t := range r.topicsByName {
		r.Topics = append(r.Topics, *t)
	}
	slices.SortFunc(r.Topics, func(a, b TopicReport) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range r.Topics {
		if sizes := t.sizes(); len(sizes) > 1 {
			note := "%s: images of different sizes, %s: see that all show the same part of the scene"
			r.Notes = append(r.Notes, fmt.Sprintf(note, t.Name, strings.Join(sizes, ", ")))
		}
		if t.Encoding != "" {
			r.Notes = append(r.Notes,
				fmt.Sprintf("%s: %d messages encoded in %q, not in cdr: counted, not decoded", t.Name,
					t.Messages, t.Encoding))
		}
	}
	if r.Messages > 0 {
		r.Start, r.Duration = time.Unix(0, r.startNs).UTC(), time.Duration(r.end-r.startNs)
	}
	switch {
	case r.FaultCount == 0:
		r.Class = Intact
	case r.Messages == 0:
		r.Class = Unusable
	default:
		r.Class = Repairable
	}
}

// String is the report for people, some lines.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Path, r.Class)
	fmt.Fprintf(&b, "%d messages, %d bytes, %s from %s\n", r.Messages, r.Bytes,
		r.Duration.Round(time.Millisecond), r.Start.Format(time.RFC3339))
	fmt.Fprintf(&b, "%d transitions of %d actions: %s; %d images\n",
		r.Transitions, len(r.Actions), msgs.OutcomeCounts(r.Succeeded, r.Refused, r.Failed), r.Images)
	for _, t := range r.Topics {
		fmt.Fprintf(&b, "  %-30s %-40s %d\n", t.Name, t.Type, t.Messages)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	if r.FaultCount == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "%d faults, %d transitions lost:\n", r.FaultCount, r.Lost)
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	if more := r.FaultCount - len(r.Faults); more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	return b.String()
}
