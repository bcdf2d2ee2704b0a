package identity

import (
	"strconv"
	"strings"
)

// A Code names what the encoder makes of an image: the quantised latent, one digit a dimension, "0"
// for the lowest level. Codes of a state that was split off have a number, as in "0213.1".
type Code string

// numbered is the code of the k-th state with the code.
func (c Code) numbered(k int) Code { return c + Code("."+strconv.Itoa(k)) }

// shown is the code as images have it, and the number; -1 where there is none.
func (c Code) shown() (Code, int) {
	before, after, _ := strings.Cut(string(c), ".")
	k, err := strconv.Atoi(after)
	if err != nil {
		return c, -1
	}
	return Code(before), k
}
