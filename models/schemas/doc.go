// Package schemas writes a learned model by objects: the grid behind opaque ids, which nobody told.
//
// Its main function is [Lift], which returns a [Lifted]:
//
//	strips.Model -> groups -> sets -> sorts -> schemas -> PDDL with types and parameters
//
// A [Group] is literals of which at most one holds: the places of an object, the objects of a
// place, what is in a hand. It grows from a literal along what operators begin and end together. A
// set is a group, or facts that go together though they may hold at once: a vehicle at a place, and
// the parcels there. A [Sort] is sets that play the same part: objects, or places. A predicate
// takes the sets that it is in as arguments. A [Schema] is operators that are alike but for these.
//
// Sorts and schemas are chosen by description length. Operators are pooled if the schema and the
// objects of each are shorter than each operator alone. So a few operators that lack a precondition
// or an effect are actions of their own, and where nothing is alike nothing is pooled.
//
// The domain allows exactly what the model allows. Which objects a schema has together is a
// precondition, such as (can_move ?x1 ?x2), if it does not have all:
//
//	lifted, err := schemas.Lift(model)
//	err = lifted.WriteDomain(file)
//	lifted.Actions[0]        // of operator 0: id 1 is pick mug sort2_1
//
// Names come from those of the skills. [Lifted.NameByRole] names what nobody named, and
// [Lifted.Rename] what somebody names now; [Lifted.Label] gives the model these names.
//
// Not found are objects that no group or hub tells, such as the pegs of the towers of Hanoi. Models
// that refuse actions in single states are refused.
package schemas
