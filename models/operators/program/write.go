package program

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// lexicographic gives every objective variable one weight such that the weighted
// sum orders as the objectives do, and the sum of all weights.
func (b *Program) lexicographic() (weights [4]int, total int, err error) {
	unit := 1
	for i := len(b.Terms) - 1; i >= 0; i-- {
		weights[i] = unit
		sum := 0
		for k := range b.Terms[i].Vars {
			sum += b.Terms[i].weight(k)
		}
		if sum > 0 && unit > (math.MaxInt64/2-total)/sum {
			return weights, 0, fmt.Errorf("program: the lexicographic weights do not fit 63 bits")
		}
		total += unit * sum
		unit = total + 1
	}
	return weights, total, nil
}

// WriteOPB writes the program in the pseudo-Boolean format, every inequality as
// in the paper, with the four objectives as one weighted sum.
func (b *Program) WriteOPB(w io.Writer) error {
	weights, _, err := b.lexicographic()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "* #variable= %d #constraint= %d\nmin:", b.Vars, len(b.Constraints))
	for i, term := range b.Terms {
		for k, v := range term.Vars {
			fmt.Fprintf(out, " +%d x%d", weights[i]*term.weight(k), v)
		}
	}
	fmt.Fprintln(out, " ;")
	for _, c := range b.Constraints {
		least := c.AtLeast
		for _, lit := range c.Lits {
			if lit > 0 {
				fmt.Fprintf(out, "+1 x%d ", lit)
			} else {
				fmt.Fprintf(out, "-1 x%d ", -lit)
				least--
			}
		}
		fmt.Fprintf(out, ">= %d ;\n", least)
	}
	return out.Flush()
}

// WriteWCNF writes the program as weighted partial MaxSAT (DIMACS "p wcnf"). A
// bound on the number of different codes, the one constraint that is no clause,
// is written as a sequential counter.
func (b *Program) WriteWCNF(w io.Writer) error {
	weights, total, err := b.lexicographic()
	if err != nil {
		return err
	}
	vars := b.Vars
	var clauses [][]int
	for _, c := range b.Constraints {
		if c.AtLeast == 1 {
			clauses = append(clauses, c.Lits)
			continue
		}
		clauses = append(clauses, counter(c, &vars)...)
	}
	soft := 0
	for _, term := range b.Terms {
		soft += len(term.Vars)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "p wcnf %d %d %d\n", vars, len(clauses)+soft, total+1)
	for _, clause := range clauses {
		fmt.Fprintf(out, "%d", total+1)
		for _, lit := range clause {
			fmt.Fprintf(out, " %d", lit)
		}
		fmt.Fprintln(out, " 0")
	}
	for i, term := range b.Terms {
		for k, v := range term.Vars {
			fmt.Fprintf(out, "%d %d 0\n", weights[i]*term.weight(k), -v)
		}
	}
	return out.Flush()
}

// counter encodes "at least k of n": s[i][j] implies that at least j of the first
// i literals hold.
func counter(c Constraint, vars *int) [][]int {
	var clauses [][]int
	previous := make([]int, c.AtLeast+1) // s[i-1][1..k]; 0 is false
	for _, lit := range c.Lits {
		current := make([]int, c.AtLeast+1)
		for j := 1; j <= c.AtLeast; j++ {
			*vars++
			current[j] = *vars
			stays := []int{-current[j]}
			if previous[j] != 0 {
				stays = append(stays, previous[j])
			}
			clauses = append(clauses, append(stays[:len(stays):len(stays)], lit))
			if j > 1 { // counting lit needs j-1 before it
				if previous[j-1] != 0 {
					stays = append(stays, previous[j-1])
				}
				clauses = append(clauses, stays)
			}
		}
		previous = current
	}
	return append(clauses, []int{previous[c.AtLeast]})
}
