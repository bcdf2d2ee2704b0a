package schemas_test

import (
	"fmt"
	"os"

	"stripswm/models/schemas"
	"stripswm/models/strips"
)

// Five lamps, each of which has two skills.
func Example() {
	m := &strips.Model{Predicates: 5}
	for k, name := range []string{"on", "off"} {
		for lamp := range strips.Predicate(5) {
			o := strips.Operator{Action: strips.ActionID(len(m.Operators) + 1),
				Name: fmt.Sprintf("%s_lamp%d", name, lamp), PreNeg: []strips.Predicate{lamp},
				Add: []strips.Predicate{lamp}}
			if k == 1 {
				o.PreNeg, o.PrePos, o.Add, o.Del = nil, o.PreNeg, nil, o.Add
			}
			m.Operators = append(m.Operators, o)
		}
	}
	lifted, err := schemas.Lift(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = lifted.WriteDomain(os.Stdout)
	fmt.Println(lifted.Actions[7].ID, lifted.Actions[7])
	// Output:
	// (define (domain strips-wm)
	//   (:requirements :strips :typing :negative-preconditions)
	//   (:types sort1 - object)
	//   (:constants
	//     lamp0 lamp1 lamp2 lamp3 lamp4 - sort1)
	//   (:predicates
	//     (fact ?x1 - sort1))
	//   (:action on
	//     :parameters (?x1 - sort1)
	//     :precondition (and (not (fact ?x1)))
	//     :effect (and (fact ?x1)))
	//   (:action off
	//     :parameters (?x1 - sort1)
	//     :precondition (and (fact ?x1))
	//     :effect (and (not (fact ?x1))))
	// )
	// 8 off lamp2
}
