package annotated

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxID bounds ids that a recording gives itself: each has an operator, seen or not.
const maxID = 10_000

// skills are the ids of skills by name. Where all names are numbers from 1 on, those are the ids,
// and names is nil; otherwise ids go by the alphabet.
func skills(seen map[string]bool) (ids map[string]uint32, names []string, err error) {
	ids = map[string]uint32{}
	for name := range seen {
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 {
			break
		}
		if n > maxID {
			return nil, nil,
				fmt.Errorf("skill %d: ids go to %d; name skills by a word in the rule for starts", n, maxID)
		}
		ids[name] = uint32(n)
	}
	if len(ids) == len(seen) {
		return ids, nil, nil
	}
	for i, name := range slices.Sorted(maps.Keys(seen)) {
		ids[name] = uint32(i + 1)
		// recordings take names of one word
		names = append(names, strings.Join(strings.Fields(name), "_"))
	}
	return ids, names, nil
}
