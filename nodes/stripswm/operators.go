package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

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
		Long: `operators is the second stage alone: it reads a task graph (.dfa, .json or .dot)
and learns a STRIPS model with proofs of what is optimal in it.`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(operatorsLearnCommand(), operatorsCheckCommand(), operatorsExplainCommand(),
		operatorsFrontierCommand(), operatorsSuspectsCommand(), operatorsProgramCommand())
	return cmd
}

// operatorsInput are the flags that say what the operators verbs work on.
type operatorsInput struct {
	graph, model, trust string
}

func (in *operatorsInput) flags(cmd *cobra.Command, model, trust bool) {
	cmd.Flags().StringVar(&in.graph, "graph", "", "task graph: .dfa, .json or .dot")
	if model {
		cmd.Flags().StringVar(&in.model, "model", "", "model.json that was learned from it")
	}
	if trust {
		cmd.Flags().StringVar(&in.trust, "trust", "all", "where a missing edge is evidence: all, none, attempts, visited:K[:DOUBT] or nodes:0,4,7")
	}
}

func (in *operatorsInput) readGraph() (*taskgraph.Graph, error) {
	if in.graph == "" {
		return nil, usagef("--graph is needed")
	}
	g, err := taskgraph.ReadFile(in.graph)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errInput, err)
	}
	return g, nil
}

func (in *operatorsInput) readModel() (*strips.Model, error) {
	if in.model == "" {
		return nil, usagef("--model is needed")
	}
	f, err := os.Open(in.model)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errInput, err)
	}
	defer f.Close()
	m, err := strips.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errInput, in.model, err)
	}
	return m, nil
}

func (in *operatorsInput) readTrust() (operators.Trust, error) {
	t, err := operators.ParseTrust(in.trust)
	if err != nil {
		return t, usageError{err}
	}
	return t, nil
}

// missingPairs are the trusted missing pairs as the checker and the program want
// them.
func missingPairs(g *taskgraph.Graph, t operators.Trust) ([]check.Pair, error) {
	pairs, err := learn.TrustedPairs(g, t)
	if err != nil {
		return nil, usageError{err}
	}
	return pairs, nil
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
