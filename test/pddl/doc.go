// Package pddl tests what `stripswm export --lifted` writes with programs of others: the planner
// Fast Downward finds plans in it, and the plan validator VAL checks them and what is refused. Both
// must agree with the model by ids:
//
//	model by ids --export--> domain.pddl, problem.pddl, actions.json
//	domain, problem --Fast Downward, A*--> plan --VAL--> valid
//	plan, actions.json --> ids --model--> goal, in as many steps as the model needs
//
// The tests are skipped without what `make setup-pddl` puts into .deps/pddl.
package pddl
