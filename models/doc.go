/*
Package models is the page of nouns: everything that is learned, the name that each
thing has in this project, and the way the data goes through them. The folder holds no
code of its own; each noun's package has an example that runs.

A robot knows its skills by number only: an action id, strips.ActionID, 1 to L. What it
does becomes attempts. An attempt is a picture before, an action id, a picture after and
an outcome: succeeded, refused (the skill said that it does not apply, and moved
nothing) or failed (evidence of nothing). An attempt that succeeded is a transition.

	camera, skills -> bags -> vision.Dataset -> codes -> taskgraph.Graph -> strips.Model -> plan
	                                  |                        |                |
	                                  stage 1                  stage 2          stage 3: classifier

# What is recorded

bags.Writer keeps attempts in a rosbag2 directory; what it has acknowledged survives a
kill. pairing.Pairer ties the camera's frames to the skill executor's statuses, and
recording.Recorder writes what comes of it. bags.Reader gives it back.

# Stage 1: pictures to a task graph

pixels.RGB is a picture as the networks take it; package pixels decodes whatever a camera
sends. vision.Dataset is a recording's pictures and transitions in memory.
vision.WorldModel is the network of stage 1 (paper, figure 2): a vision.Backbone and
heads. A vision.Preset has all of its settings, its vision.Objective the weight of each
loss, and vision.Learned is what training made of it.

The encoder takes a picture to a latent, vision.FSQ rounds a latent to a vision.Code, and
vision.Coder does both with a bundle's encoder. A code is a node's name: pictures of one
state should have one code. Where the recording's order shows that one code covers two
states, vision.Refine splits it, vision.Divide where their looks do, and vision.Locator
knows which nodes such a code may be.

taskgraph.Graph is what was seen to happen: a node for each code, an edge for each
(node, action, node) with the number of times it was seen, and the refused attempts.
Graph.Prune drops what misread pictures and wrong labels left, operators.Fold merges
nodes that are one state.

# Stage 2: a task graph to predicates and operators

A predicate is a column: a set of nodes that every action leaves alone, enters or leaves
on all its edges. An atom is a pair that a column may separate: a node, and an action
that is trusted (operators.Trust) not to apply there. operators.Learn chooses few columns
that separate all atoms that can be separated, and proves what it can of that.

strips.Model is what comes of it: a strips.State (predicate vector) for each node, a
strips.Operator for each action, a strips.Exception for each atom that no predicate
separates (eta counts them), strips.Slack for each effect that does not fit (xi counts
it). An action that does different things in different states has several operators,
its variants (Model.Variants), whose preconditions exclude each other; an operator may
also toggle a predicate: true becomes false and false true. A strips.Chance is a node
and an action with several outcomes in earnest, of which no operator speaks, a
strips.Untried one that preconditions allow though nobody tried it.
operators.Report has the figures, what is proved of them, and bounds. check.Model of
operators/check reads the paper's constraints off graph and model, and shares no code with
the learner; program.Program is the paper's own 0/1 program, the reference for small
graphs.

# Stage 3: pictures to predicates, and to plans

vision.LearnedClassifier says of a picture how likely each predicate holds. A
bundle.Bundle is a directory with everything learned from one recording and a
bundle.Manifest that ties it together: graph, model, encoder, dynamics, classifier, and
vision.Appearance: what the pictures of each node look like. inference.Network runs the networks
of a bundle.

planner.Planner finds shortest plans between predicate states; package planner/check
replays each. A planner.Chance is a step that counts on an outcome left to chance or was
never tried, which is taken only where there is no other way. imageplan.Planner does so from two pictures,
and says with an imageplan.Refusal which pictures it does not plan from. The planners
that it is compared with are each a baselines.Baseline.

# What runs

learn.Learner goes from a recording to a bundle, all three stages, and learn.Repair mends
the graph in between; incremental.Learner learns stage 2 again as attempts arrive.
execute.Executor carries plans out in closed loop. eval.Run asks a bundle the paper's
questions, report.Write shows the answers.

sim.World is a table that does not exist, workcell.Cell the robot cell around it, and a
ros.Node what a ROS 2 node of ours is written against.
*/
package models
