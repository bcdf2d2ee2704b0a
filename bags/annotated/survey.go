package annotated

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"stripswm/bags"
	"stripswm/msgs"
)

// A surveyed bag has what is asked for.
type surveyed struct {
	field    *msgs.FieldReader
	ids      map[string]uint32 // of skills by name
	names    []string          // of skills 1, 2, ...; nil where they are numbers
	messages []bags.Message    // on the two topics, by time, without data
}

// survey goes through the bag for the skills' names, and to say what is missing before anything is
// written.
func survey(ctx context.Context, r *bags.Reader, o Options) (*surveyed, error) {
	s := &surveyed{}
	topics := map[string]*bags.Topic{}
	seen := map[string]bool{}
	var values []string // examples
	readable := false
	var unreadable error // the first
	for m, err := range r.Messages(ctx) {
		if err != nil {
			return nil, err
		}
		topics[m.Topic.Name] = m.Topic
		if m.Topic.Name != o.Image && m.Topic.Name != o.Skill {
			continue
		}
		kept := m
		kept.Data = nil
		s.messages = append(s.messages, kept)
		if m.Topic.Name == o.Image {
			if m.Topic.IsImage() && !readable {
				_, err := o.view(m.Topic, m.Data)
				readable = err == nil
				if unreadable == nil {
					unreadable = err
				}
			}
			continue
		}
		value, err := s.value(&m, o.Field)
		if err != nil {
			return nil, err
		}
		if phase, name, ok := o.Rules.phase(value); ok && phase == msgs.SkillStatusStarted {
			seen[name] = true
		}
		if len(values) < 5 && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	image := topics[o.Image]
	switch {
	case image == nil:
		return nil, fmt.Errorf("%w: no messages on %s; there are %s", bags.ErrReference, o.Image,
			list(topics))
	case !image.IsImage():
		return nil, fmt.Errorf("%w: %s has %s, not images; there are %s", bags.ErrReference, o.Image,
			image.Type, list(topics))
	case !readable:
		return nil, fmt.Errorf("topic %s: %w: no image can be read; the first: %w", o.Image,
			bags.ErrImage, unreadable)
	case topics[o.Skill] == nil:
		return nil, fmt.Errorf("%w: no messages on %s; there are %s", bags.ErrReference, o.Skill,
			list(topics))
	case len(seen) == 0:
		return nil, fmt.Errorf("%w: no value of %s on %s starts a skill by the rule %q; the first are %q",
			bags.ErrTransition, o.Field, o.Skill, o.Rules.Start, values)
	}
	if back := bags.ByTime(s.messages); back > 0 {
		o.Log.Warn("receive times go back within a file, so that the order in it counts", "by", back)
	}
	var err error
	s.ids, s.names, err = skills(seen)
	return s, err
}

// value reads the field of a message, with the definition that the recording has, or else this
// project's.
func (s *surveyed) value(m *bags.Message, field string) (string, error) {
	if s.field == nil {
		if !m.Topic.IsCDR() {
			return "", fmt.Errorf("%w: topic %s is encoded in %q", bags.ErrUnsupported, m.Topic.Name,
				m.Topic.Encoding)
		}
		definition, err := definition(m.Topic)
		if err != nil {
			return "", err
		}
		if s.field, err = msgs.NewFieldReader(m.Topic.Type, definition, field); err != nil {
			return "", fmt.Errorf("topic %s: %w: %w", m.Topic.Name, bags.ErrUnsupported, err)
		}
	}
	value, err := s.field.Text(m.Data)
	if err != nil {
		return "", fmt.Errorf("topic %s: %w: %w", m.Topic.Name, bags.ErrDamaged, err)
	}
	return value, nil
}

// definition is that of a topic's type.
func definition(t *bags.Topic) (string, error) {
	known, _ := msgs.Schema(t.Type)
	switch {
	case t.Schema != "" && t.SchemaEncoding == "":
		return t.Schema, nil
	case known != "":
		return known, nil
	case t.SchemaEncoding != "":
		return "", fmt.Errorf("topic %s: %w: %s is defined in %s; record a topic of a type that a .msg "+
			"file defines, such as std_msgs/msg/String", t.Name, bags.ErrUnsupported, t.Type,
			t.SchemaEncoding)
	}
	return "", fmt.Errorf("%w: the recording does not define %s; convert it to MCAP with ros2 bag "+
		"convert", bags.ErrUnsupported, t.Type)
}

// list is the topics for people.
func list(topics map[string]*bags.Topic) string {
	var all []string
	for _, t := range topics {
		all = append(all, t.String())
	}
	slices.Sort(all)
	return cmp.Or(strings.Join(all, ", "), "none")
}
