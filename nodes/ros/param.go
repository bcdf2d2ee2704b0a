package ros

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"stripswm/msgs"
)

// Describe says what `ros2 param describe` shows of a parameter, and what values it takes.
type Describe[T ParamType] struct {
	Text     string
	ReadOnly bool
	Min, Max float64 // of numbers; no bounds if both are zero
	// Accept is called with each new value, the first one included, before the parameter has it; an
	// error refuses the value.
	Accept func(T) error
}

// A Parameter is one declared parameter of a node.
type Parameter[T ParamType] struct {
	node *Node
	name string
}

// Get is the present value.
func (p *Parameter[T]) Get() T {
	p.node.params.mu.Lock()
	defer p.node.params.mu.Unlock()
	return goValue[T](p.node.params.declared[p.name].value)
}

// Set changes the value, as `ros2 param set` does.
func (p *Parameter[T]) Set(v T) error {
	return p.node.params.set([]msgs.Parameter{{Name: p.name, Value: valueOf(v)}})
}

// Declare gives the node a parameter. Its value is what the command line or a parameter file gives,
// or else the default.
func Declare[T ParamType](n *Node, name string, value T, d Describe[T]) (*Parameter[T], error) {
	v := valueOf(value)
	desc := msgs.ParameterDescriptor{Name: name, Type: v.Type, Description: d.Text,
		ReadOnly: d.ReadOnly}
	if d.Min != 0 || d.Max != 0 {
		switch v.Type {
		case msgs.ParameterTypeParameterInteger:
			desc.IntegerRange = []msgs.IntegerRange{{FromValue: int64(d.Min), ToValue: int64(d.Max)}}
		case msgs.ParameterTypeParameterDouble:
			desc.FloatingPointRange = []msgs.FloatingPointRange{{FromValue: d.Min, ToValue: d.Max}}
		}
	}
	p := &declaration{descriptor: desc, value: v}
	if d.Accept != nil {
		p.accept = func(v msgs.ParameterValue) error { return d.Accept(goValue[T](v)) }
	}
	if err := n.params.declare(p, n.name, n.args.params); err != nil {
		return nil, fmt.Errorf("parameter %s: %w", name, err)
	}
	return &Parameter[T]{node: n, name: name}, nil
}

// WarnUndeclared warns of the parameters that the command line, or a parameter file under the
// node's own name, gives the node and that it does not have: misspelled ones, perhaps. It is called
// when all are declared. What a file gives to many nodes by a pattern need not be for all of them.
func (n *Node) WarnUndeclared() {
	for _, name := range n.undeclared() {
		n.log.Warn(
			"there is no such parameter, and it does nothing; `ros2 param list` names those there are",
			"parameter", name)
	}
}

func (n *Node) undeclared() []string {
	names := map[string]bool{}
	for _, o := range n.args.params {
		if _, known := n.params.get(o.name); !known && o.matches(n.name) &&
			!strings.Contains(o.node, "*") {
			names[o.name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

type declaration struct {
	descriptor msgs.ParameterDescriptor
	value      msgs.ParameterValue
	accept     func(msgs.ParameterValue) error
}

// check returns the value as the parameter would have it.
func (p *declaration) check(v msgs.ParameterValue) (msgs.ParameterValue, error) {
	v, err := convert(v, p.descriptor.Type)
	if err != nil {
		return v, err
	}
	for _, r := range p.descriptor.IntegerRange {
		if v.IntegerValue < r.FromValue || v.IntegerValue > r.ToValue {
			return v, fmt.Errorf("%d is not from %d to %d", v.IntegerValue, r.FromValue, r.ToValue)
		}
	}
	for _, r := range p.descriptor.FloatingPointRange {
		if !(v.DoubleValue >= r.FromValue && v.DoubleValue <= r.ToValue) {
			return v, fmt.Errorf("%g is not from %g to %g", v.DoubleValue, r.FromValue, r.ToValue)
		}
	}
	return v, nil
}

// A paramSet is the parameters of a node. Changes come one after the other; readers wait for none
// of the checks.
type paramSet struct {
	node   *Node
	clock  *Subscription // while use_sim_time is or was set
	events *Publisher[*msgs.ParameterEvent]

	changing sync.Mutex // held while a change is checked and made
	mu       sync.Mutex // held while the map is read or written
	declared map[string]*declaration
}

func newParamSet(n *Node) *paramSet {
	return &paramSet{node: n, declared: map[string]*declaration{}}
}

func (s *paramSet) declare(p *declaration, node NodeName, overrides []override) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	name := p.descriptor.Name
	if name == "" {
		return fmt.Errorf("its name is empty")
	}
	if _, ok := s.get(name); ok {
		return fmt.Errorf("it was declared before")
	}
	value := p.value
	for _, o := range overrides {
		if o.name == name && o.matches(node) {
			value = o.value
		}
	}
	value, err := p.check(value)
	if err != nil {
		return err
	}
	if p.accept != nil {
		if err := p.accept(value); err != nil {
			return err
		}
	}
	p.value = value
	s.mu.Lock()
	s.declared[name] = p
	s.mu.Unlock()
	s.announce(&msgs.ParameterEvent{NewParameters: []msgs.Parameter{{Name: name, Value: value}}})
	return nil
}

func (s *paramSet) get(name string) (declaration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.declared[name]
	if !ok {
		return declaration{}, false
	}
	return *p, true
}

func (s *paramSet) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.declared))
}

// set changes all of the parameters, or none.
func (s *paramSet) set(params []msgs.Parameter) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	values := make([]msgs.ParameterValue, len(params))
	for i, m := range params {
		p, ok := s.get(m.Name)
		if !ok {
			return fmt.Errorf("parameter %s is not declared", m.Name)
		}
		if p.descriptor.ReadOnly {
			return fmt.Errorf("parameter %s is read-only", m.Name)
		}
		v, err := p.check(m.Value)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", m.Name, err)
		}
		values[i] = v
	}
	for i, m := range params {
		p, _ := s.get(m.Name)
		if p.accept == nil {
			continue
		}
		if err := p.accept(values[i]); err != nil {
			return fmt.Errorf("parameter %s: %w", m.Name, err)
		}
	}
	changed := make([]msgs.Parameter, len(params))
	s.mu.Lock()
	for i, m := range params {
		s.declared[m.Name].value = values[i]
		changed[i] = msgs.Parameter{Name: m.Name, Value: values[i]}
	}
	s.mu.Unlock()
	s.announce(&msgs.ParameterEvent{ChangedParameters: changed})
	return nil
}

// announce publishes on /parameter_events. That a listener misses it is no failure of the change.
func (s *paramSet) announce(e *msgs.ParameterEvent) {
	e.Stamp, e.Node = msgs.TimeFrom(s.node.clock.Now()), s.node.name.String()
	if err := s.events.Publish(e); err != nil {
		s.node.log.Debug("parameter event", "error", err)
	}
}
