// Package annotate writes what the planner sees and plans onto camera pictures,
// for people who watch.
//
// Its one function is Draw:
//
//	picture = annotate.Draw(picture, annotate.Caption{State: "0110", Confidence: 0.98, Plan: []string{"pick", "place"}})
package annotate
