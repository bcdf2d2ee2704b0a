/*
Package models has everything that is learned. This page lists the main types, and says how data
passes through. Each package has an example.

A robot knows its skills by their ids only: strips.ActionID, 1 to L. An attempt is an image before,
an action id, an image after, and an outcome: succeeded, refused (the skill does not apply, and
nothing was moved) or failed (evidence of nothing). An attempt that succeeded is a transition.

	camera, skills -> bags -> dataset.Dataset -> codes -> taskgraph.Graph -> strips.Model -> plan
	                                   |                        |                |
	                                   stage 1                  stage 2          stage 3: classifier

# Recordings

pairing.Pairer pairs the camera's frames with the statuses of the skill executor. recording.Recorder
writes the attempts with a bags.Writer, and bags.Reader reads them.

# Stage 1: images to a task graph

pixels.RGB is a decoded image. dataset.Dataset is a recording in memory. vision.WorldModel is the
network (paper, figure 2): a networks.Backbone and heads. A vision.Preset has its settings, and its
vision.Objective the weight of each loss. Training returns a vision.Learned. The encoder maps an
image to a latent vector, vision.FSQ rounds it to an identity.Code, and vision.Coder does both for a
bundle. All images of one state should have one code. identity.Refine and identity.Split split a
code that covers two states; identity.Locator finds the nodes of such a code.

taskgraph.Graph has a node for each code, an edge for each transition with its count, and the
refused attempts. Graph.Prune drops edges with little evidence; operators.Merge merges nodes.

# Stage 2: a task graph to predicates and operators

A candidate predicate is a set of nodes that each action leaves alone, enters or leaves on all its
edges. A separation constraint is a node and an action that does not apply there, as far as
operators.Trust believes it. operators.Learn chooses few predicates that satisfy the constraints.

The result is a strips.Model: a strips.State (predicate vector) for each node, and a strips.Operator
for each action, or several variants if its effect depends on the state. It lists a strips.Exception
for each constraint that no predicate satisfies (eta counts them), a strips.Slack for each effect
that does not fit (xi), a strips.Nondeterminism for each nondeterministic outcome, and a
strips.Untried for each pair that nobody tried. operators.Report says what is proved. check.Model
tests a model against its graph, and program.Program is the paper's own 0/1 program, for small
graphs. schemas.Lift writes a model by objects, with the skills as actions with parameters.

# Stage 3: images to predicates, and to plans

vision.LearnedClassifier says how likely each predicate is true in an image. appearance.Model says
whether an image looks like the recorded images of its state. bundle.Bundle is the directory with
everything learned from one recording, and bundle.Manifest lists it. inference.Network runs
networks.

planner.Planner finds shortest plans; planner.UncertainStep is a step without a certain outcome.
imageplan.Planner plans from two images, and refuses an image with an imageplan.Refusal.
exploration.Explorer says what to try next. Each
baselines.Baseline is a method to compare with.

# Programs

learn.Learner learns a bundle, and learn.Repair repairs the graph. execute.Executor executes plans
in closed loop. eval.Run evaluates a bundle, and report.Write shows the results. sim.World is a
simulated world, and workcell.Cell a robot cell.
*/
package models
