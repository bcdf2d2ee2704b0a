// Package explore has a robot record by itself: choose a skill, try it, look, and learn anew as
// evidence grows. It knows no ROS; the explorer node and the simulated bench are thin shells around it.
//
// Its main type is Explorer, which lets a Robot loose until nothing worth the while is expected:
//
//	s, err := explore.New(labels, frame, choices.Options{Within: 71})
//	status, err := explore.Explorer{Session: s, Robot: robot, Learn: learn, Until: 0.95}.Run(ctx)
//	fmt.Println(status.Attempts, status.States, status.Why)
//
// What was tried, and what the camera showed, is a Session:
//
//	Explorer --Next--> Session --Choice--> Robot.Try --Attempt--> Session.Observe
//	    |                                                            |
//	    +--Learn(recording so far)--> Eyes --Session.Adopt, if better+
//	    +--Renew(recording so far)--> Eyes --Session.Renew, if not --+
//
// Between two skills that succeeded the scene stays as it is, whatever was refused: that is a moment.
// Before there are eyes every moment is a state of its own. Eyes name all moments so far anew, so that the graph of
// what was tried outlives each encoder. They are what a bundle has to recognize pictures by, with its gate: a
// picture that is refused shows a state of its own, since an encoder gives a state that it never saw the code of
// another, mostly. Where those of a lesson are no better, the eyes there are learn all but the encoder of what was recorded since
// (learn.Learner.Encoder): what a robot plans with in the end knows all attempts, whichever encoder sees best.
//
// What was tried says the rest (states.go): in a state a skill applies always or never, leads to one state, and to another
// than it is tried in. Moments that eyes see as one are thus told apart as soon as a skill applies in one and was refused in another; and a
// picture that the gate refuses, come to by a pair that was tried before, shows what that led to then. What eyes do not tell is tried
// apart, but counts as a surprise: a plan goes by pictures. States that are seen differently are one where the same skill led from one
// state to either, as long as nothing that was tried tells them apart (join.go). What is tried next goes by that; which eyes are better,
// by what each see alone, as plans do.
//
// # What was tried
//
// Of pictures of states that an encoder had never seen (Real-like table, few skills, seed 1; encoders of 52, 85 and 118
// attempts, pictures of the attempts after), 97, 98 and 87 % had the code of a known one. What its pictures look like told none of them
// (vision.Appearance), that earlier encoders had never given a picture there such a code all but 18 and 0 %, at the cost of 0 and 38 % of the
// pictures of known states; the classifier beside the encoder all but 37, 15 and 13 %, at the cost of 18 to 29 %. Hence the gate.
//
// Attempts until all states are seen, with eyes that err as learned ones do (go test -bench Seen; in brackets with sharp
// eyes): BlocksWorld 301 (255), its few skills 109 (78), Real-like table with few skills 372 (282). Means of 50 seeds. With joining in
// the comparison of eyes, too: 295, 113, 379; so also without renewing 308, 105 and 376; without that and joining 340, 107 and 368 (of the last
// the means of 12 seeds); by what is seen alone, where what was tried in one state holds for all that are taken for it, 371, 142 and
// 371. Joining only what two or three ways lead to: as without. Joining, at the cost of the bits that say which: 304, 105, 378, against
// 303, 100, 365 without that cost (20 seeds; without joining 333, 114, 377). What two encoders see, each with errors of its own, as one
// code: 300, 100, against 303, 100 (20 seeds). Without joining, adopting whatever was learned last: 330, 102; with it as few as now, but of
// the states 57 % have one code of their own in the end, of BlocksWorld, in place of 68 (20 seeds).
//
// With joining in the comparison, a table's last encoder was as good as the one before, and that stayed: BlocksWorld,
// seed 11, 368 attempts, 295 bits for both, but 171 of 240 pairs of states solved with 20 nodes, and 221 with the 17 of an encoder
// of all attempts. As they see it is 374 bits and 317.
//
// What errors of such eyes cost, on BlocksWorld without joining (334, 20 seeds): if no state had two codes 288, if none were taken for
// another 307, if no state that was never seen passed the gate 301, if no known one were refused 318.
//
// Beginning stage 1 with the weights of the last lesson: as many steps, and as many states, as beginning with drawn
// ones (BlocksWorld, 29, 36 and 44 transitions). Each lesson draws its own: what one encoder takes for another, the next tells
// apart.
package explore
