// Package sight turns pictures into observations: what a bundle's classifier
// makes of a picture, and whether that is to be trusted.
//
// The main type is Judge. It refuses pictures without contrast (a covered lens,
// no light), pictures whose predicates are those of no known state, and pictures
// of which the classifier is too unsure, and says which predicates are to blame:
//
//	judge := sight.NewJudge(planner, sight.Trust{Confidence: 0.6, Contrast: 6})
//	observation, err := judge.Observe(picture, stamp)
package sight
