package strips

// Untried is a node and an action whose preconditions hold there, though nobody
// knows: it was not seen to succeed there, and not tried often enough to say that it
// is refused. In the code of the node the model refuses the action like an exception;
// what counts on it has to look afterwards.
type Untried struct {
	Node   StateID
	Action ActionID
}
