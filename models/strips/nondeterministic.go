package strips

// Nondeterminism is a node and an action for which the recording shows several outcomes
// in fact. Operators say nothing of it: in the code of the node the model
// refuses the action like an exception. What counts on it has to look afterwards.
type Nondeterminism struct {
	Node     StateID   `json:"node"`
	Action   ActionID  `json:"action"`
	Outcomes []Outcome `json:"outcomes"` // by target, at least two
}

// Outcome is a node that an action was seen to lead to, and how often.
type Outcome struct {
	Target StateID `json:"target"`
	Count  int     `json:"count"`
}

// Total is how often the action was seen at the node.
func (c Nondeterminism) Total() int {
	n := 0
	for _, o := range c.Outcomes {
		n += o.Count
	}
	return n
}
