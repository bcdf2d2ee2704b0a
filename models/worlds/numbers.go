package worlds

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseNumbers parses numbers separated by commas, such as the seeds of a benchmark.
func ParseNumbers(list string) (all []uint64, err error) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q: want numbers separated by commas: %w", list, err)
		}
		all = append(all, n)
	}
	return all, nil
}
