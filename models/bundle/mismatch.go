package bundle

import "fmt"

// Mismatch is why a bundle is refused: something in it is damaged, missing, or belongs to another
// bundle.
type Mismatch struct {
	Dir    string // the bundle
	File   string // the file at fault
	What   string // what disagrees, such as "predicates" or "SHA-256"
	Want   string // what the rest of the bundle says
	Found  string
	Advice string // what to do
}

func (e *Mismatch) Error() string {
	return fmt.Sprintf("bundle %s: %s: %s: expected %s, found %s; %s", e.Dir, e.File, e.What, e.Want,
		e.Found, e.Advice)
}

const (
	restore = "restore the file from a copy, or learn again"
	relearn = "put back the part that belongs to this bundle, or learn this stage again"
)
