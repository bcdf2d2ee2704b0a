package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/internal/files"
	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
)

func operatorsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "operators",
		Short: "Learn predicates and operators from a task graph, check and explain them",
		Long: `operators runs the second stage alone: it reads a task graph (.dfa, .json or .dot), learns
a STRIPS model with proofs of optimality, and plans with it.`,
	}
	cmd.AddCommand(operatorsLearnCommand(), operatorsCheckCommand(), operatorsPlanCommand(),
		operatorsExplainCommand(), operatorsSuspectsCommand(), operatorsProgramCommand())
	return cmd
}

// operatorsInput are the flags that say what the operators verbs work on.
type operatorsInput struct {
	graph, model, trust string
	takesModel          bool
	takesTrust          bool
}

func (in *operatorsInput) flags(cmd *cobra.Command, model, trust bool) {
	in.takesModel, in.takesTrust = model, trust
	cmd.Flags().StringVar(&in.graph, "graph", "", "task graph: .dfa, .json or .dot")
	if model {
		cmd.Flags().StringVar(&in.model, "model", "",
			"model that was learned from it: model.json or its folder")
	}
	if trust {
		cmd.Flags().StringVar(&in.trust, "trust", "",
			"where a missing edge is negative evidence: all, none, attempts, visited:K[:D] or "+
				"nodes:0,4,7 (default: visited:0, or all for a graph without counts, such as a .dfa)")
		completeNames(cmd, "trust", []string{"all", "none", "attempts", "visited:", "nodes:"})
	}
}

// opened is what the flags name. A verb has those parts that it takes flags for.
type opened struct {
	graph *taskgraph.Graph
	model *strips.Model // learned from graph
	trust operators.Trust
	pairs []check.Pair // missing in graph and trusted
}

// open reads what the flags name and checks that it belongs together.
func (in *operatorsInput) open() (o opened, err error) {
	if in.graph == "" {
		return o, usagef("--graph is needed")
	}
	if in.takesModel && in.model == "" {
		return o, usagef("--model is needed")
	}
	if o.graph, err = taskgraph.ReadFile(in.graph); err != nil {
		return o, fmt.Errorf("%w: %w", errInput, err)
	}
	if in.takesTrust {
		o.trust = operators.DefaultTrust(o.graph)
		if in.trust != "" {
			if o.trust, err = operators.ParseTrust(in.trust); err != nil {
				return o, usageError{err}
			}
		}
		if o.pairs, err = learn.TrustedPairs(o.graph, o.trust); err != nil {
			return o, usageError{err}
		}
	}
	if !in.takesModel {
		return o, nil
	}
	if o.model, err = readModel(in.model); err != nil {
		return o, err
	}
	if err := sameNames(o.graph, o.model); err != nil {
		return o, fmt.Errorf("%w: %s was not learned from %s: %w", errInput, in.model, in.graph, err)
	}
	return o, nil
}

// readModel reads a model, or the model.json of a folder.
func readModel(path string) (*strips.Model, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, modelFile)
	}
	f, err := files.Open(path, maxJSON)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errInput, err)
	}
	defer f.Close()
	m, err := strips.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errInput, path, err)
	}
	return m, nil
}

// modelFile is what `operators learn` calls a model.
const modelFile = "model.json"

// sameNames says where a model has other nodes or actions than the graph. `operators check` finds
// other differences.
func sameNames(g *taskgraph.Graph, m *strips.Model) error {
	if m.Actions() != g.NumActions() || len(m.States) != g.NumStates() {
		return fmt.Errorf("it has %d actions and %d nodes, the graph %d and %d", m.Actions(),
			len(m.States), g.NumActions(), g.NumStates())
	}
	for i, label := range g.Labels {
		if name := m.Label(strips.ActionID(i + 1)); name != label {
			return fmt.Errorf("action %d is %q there, and %q in the graph", i+1, name, label)
		}
	}
	for s := range g.Nodes {
		if _, known := m.Code(strips.StateID(s)); !known {
			return fmt.Errorf("it has no code for node %d", s)
		}
	}
	return nil
}

// readAction finds an action by its label or its number.
func readAction(g *taskgraph.Graph, text string) (strips.ActionID, error) {
	for i, label := range g.Labels {
		if label == text {
			return strips.ActionID(i + 1), nil
		}
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(g.Labels) {
		return strips.ActionID(n), nil
	}
	return 0, usagef("--action %q: no such label, nor a number in 1..%d", text, len(g.Labels))
}

// readDistinct reads none, all or 0-3,4-7.
func readDistinct(text string) (operators.Distinct, error) {
	switch text {
	case "", "none":
		return operators.Distinct{}, nil
	case "all":
		return operators.Distinct{All: true}, nil
	}
	var d operators.Distinct
	for word := range strings.SplitSeq(text, ",") {
		var pair [2]strips.StateID
		if n, err := fmt.Sscanf(word, "%d-%d", &pair[0], &pair[1]); n != 2 || err != nil {
			return d, usagef("--distinct %q: want none, all or pairs such as 0-3,4-7", text)
		}
		d.Pairs = append(d.Pairs, pair)
	}
	return d, nil
}

func wantsJSON(cmd *cobra.Command) bool {
	v, err := cmd.Flags().GetBool("json")
	return err == nil && v
}

func edgeText(g *taskgraph.Graph, e taskgraph.Edge) string {
	text := fmt.Sprintf("%d --%s--> %d (seen %dx)", e.Source, g.Label(e.Action), e.Target, e.Support)
	if from, to := g.Nodes[e.Source].Code, g.Nodes[e.Target].Code; from != "" && to != "" {
		text += fmt.Sprintf(", latent codes %s to %s", from, to)
	}
	return text
}
