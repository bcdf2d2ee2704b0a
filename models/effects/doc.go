// Package effects finds what skills change from the images before and after their attempts.
//
//	attempts with features -> changes -> places -> looks -> variables -> facts, variants of skills
//
// A change is the difference of the features after and before an attempt, less the light's gain and
// the directions in which differences vary where nothing happened. A cell is a candidate where some
// skill changes it at more of its successes than images of one state differ (binomial test). Cells
// that change together are a place: at several scales, as things may overlap in the image.
//
// The images of a place are divided into looks: clusters of average linkage, in a few ways. A place
// with its looks is a [Variable] if the skill tells the next look beyond what the look before
// tells, by at least the price of having looked at so many (Dirichlet-multinomial tables, in nats),
// and if hardly any change is a surprise, given the looks of others. Light and shadows have looks,
// too, but no skill tells them. Of variables that tell the same the simplest are kept. Looks of
// things that are much alike are divided again by what skills tell (closer.go). Where a thing is,
// and what it looks like wherever it is, such as painted, are variables of their own (things.go).
// Looks of one thing in several poses at a place, that no skill tells apart, are one (poses.go).
//
// A [Fact] is that a variable has one look. A skill sets it, clears it, or keeps it whatever it
// was; where it does one thing in some states and another in others, such as to flip a lamp, to
// sweep away what is there, or to take whatever is at a place, it is several variants, each of
// which is an action of its own. A fact that was never true before a skill is in doubt after it,
// unless the skill nearly always changes other variables, and never this one.
//
// Strict alternation, which package traces finds without images, is the case of skills that undo
// each other. Not found is what skills do by chance, such as to throw a die.
//
// Package check compares facts with the truth and shares no code with the learner.
package effects
