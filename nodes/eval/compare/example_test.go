package compare_test

import (
	"fmt"

	"stripswm/nodes/eval/compare"
)

// The kept evaluations of a folder become a table and a figure.
func ExampleCompare() {
	runs, err := compare.Read("test/results/fresh")
	if err != nil {
		fmt.Println(err)
		return
	}
	worlds, err := compare.Compare(runs, nil, compare.Horizon)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range worlds {
		for _, m := range w.Methods {
			fmt.Printf("%s, %s: %.1f %% of %d pairs\n", w.Name, m.Name, m.All.Percent(), m.All.Pairs)
		}
	}
	fmt.Println(compare.Draw("figures", worlds, compare.Horizon))
}
