package identity

import (
	"strconv"
	"strings"
)

// Code is a quantised latent: one digit a dimension, "0" for the lowest level.
type Code string

// numbered is the code of the k-th state of those that the code covers.
func (c Code) numbered(k int) Code { return c + Code("."+strconv.Itoa(k)) }

// shown takes a numbered code apart: the code of the images, and the number; -1
// where there is none.
func (c Code) shown() (Code, int) {
	before, after, _ := strings.Cut(string(c), ".")
	k, err := strconv.Atoi(after)
	if err != nil {
		return c, -1
	}
	return Code(before), k
}
