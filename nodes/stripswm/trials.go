package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"stripswm/models/exploration"
	"stripswm/models/worlds"
	"stripswm/nodes/eval/trials"
)

// symbolicWorld declares the flag of a symbolic world. What it returns finds the world.
func symbolicWorld(cmd *cobra.Command) func() (*worlds.World, error) {
	var names []string
	byName := map[string]*worlds.World{}
	for _, w := range worlds.All() {
		names, byName[w.Name] = append(names, w.Name), w
	}
	name := cmd.Flags().String("world", "", "symbolic world, such as table_5_7")
	completeNames(cmd, "world", names)
	return func() (*worlds.World, error) {
		if w := byName[*name]; w != nil {
			return w, nil
		}
		return nil, usagef("--world %q: there are %v", *name, names)
	}
}

// attemptsOutput is what attempts prints.
type attemptsOutput struct {
	World   string           `json:"world"`
	Seed    uint64           `json:"seed"`
	Learned []trials.Learned `json:"learned"`
	// Enough is the number of attempts from which 95 % of plans lead to the goal, here and in all
	// longer recordings.
	Enough int `json:"enough,omitempty"`
}

func attemptsCommand() *cobra.Command {
	var l trials.Learning
	var attempts []int
	cmd := &cobra.Command{
		Use:   "attempts --world NAME --attempts N,N",
		Short: "Learn from attempts in a symbolic world, and compare the model with its truth",
		Long: `attempts records a random policy in a symbolic world, learns operators from action ids and
outcomes alone, and compares them with the world: which actions apply, over all states,
and how many plans between random states lead to the goal. The recordings of several
numbers of attempts are parts of one.

--search also plans between states of a random policy, and measures plans and time.`,
		Example: `  stripswm research attempts --world table_5_7 --attempts 500,1000,3000 --seed 11
  stripswm research attempts --world kitchen_4_3_2 --attempts 6000 --failures 0.1
  stripswm research attempts --world table_10_12 --attempts 20000 --pairs 0 --search greedy`,
		Args: cobra.NoArgs,
	}
	world := symbolicWorld(cmd)
	cmd.Flags().IntSliceVar(&attempts, "attempts", nil, "attempts to learn from")
	cmd.Flags().Uint64Var(&l.Seed, "seed", 1, "seed of the policy and of the pairs of states")
	atLeast(cmd.Flags(), &l.Pairs, "pairs", 100, 0,
		"random pairs of states to plan between (0: only learn, as worlds of very many states need)")
	within(cmd.Flags(), &l.Noise.WrongLabels, "mislabel", 0, 0, 1,
		"fraction of the attempts recorded with a wrong action id (0 to 1)")
	within(cmd.Flags(), &l.Noise.Changes, "changes", 0, 0, 1,
		"fraction of the attempts before which the state is changed, unmarked (0 to 1)")
	within(cmd.Flags(), &l.Noise.Failures, "failures", 0, 0, 0.99,
		"fraction of the attempts that fail, half of these with the skill's effect (0 to 0.99)")
	cmd.Flags().StringVar(&l.Search, "search", "", "search to plan by: "+
		strings.Join(trials.Searches(), ", "))
	oneOf(cmd, "search", trials.Searches())
	require(cmd, "world", "attempts")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if l.World, err = world(); err != nil {
			return err
		}
		if len(attempts) == 0 || slices.Min(attempts) < 1 {
			return usagef("--attempts: want numbers of at least 1")
		}
		said := attemptsOutput{World: l.World.Name, Seed: l.Seed}
		for _, l.Attempts = range attempts {
			one, err := l.Run(cmd.Context())
			if err != nil {
				return err
			}
			if one.Score == nil || one.Score.Plans < 0.95 {
				said.Enough = 0
			} else if said.Enough == 0 {
				said.Enough = one.Attempts
			}
			said.Learned = append(said.Learned, one)
		}
		return encode(cmd.OutOrStdout(), said)
	}
	return cmd
}

// explorationOutput is what exploration prints.
type explorationOutput struct {
	World string `json:"world"`
	Seed  uint64 `json:"seed"`
	trials.Explored
}

func explorationCommand() *cobra.Command {
	e := trials.Exploration{}
	var simulated worldFlags
	cmd := &cobra.Command{
		Use:   "exploration --world NAME | --simulated NAME",
		Short: "Measure how much robot time exploration takes until plans are right",
		Long: `exploration lets a robot choose its attempts in a symbolic world, or in a simulated one in
which something may go wrong. From time to time it learns a model and plans between 100
pairs of random states. It ends when 95 of the plans lead to the goal, or with --stop when
the explorer expects that they do. Robot time is in ks.`,
		Example: `  stripswm research exploration --world hanoi_4 --seed 11
  stripswm research exploration --world table_5_7 --policy oracle
  stripswm research exploration --simulated blocksworld --use-images --hand 50 --limit 8`,
		Args: cobra.NoArgs,
	}
	world := symbolicWorld(cmd)
	f := cmd.Flags()
	simulated.add(cmd, "simulated", "", "simulated world")
	f.StringVar(&e.Policy, "policy", trials.Informed, "informed: as explore chooses; oracle: evenly, "+
		"nine times in ten among the skills that apply; uniform: evenly among all")
	policies := []string{trials.Informed, trials.Oracle, trials.Uniform}
	oneOf(cmd, "policy", policies)
	f.BoolVar(&e.Stop, "stop", false, "end by the expectation of the explorer")
	f.BoolVar(&e.Curve, "curve", false, "list every measurement, which takes longer")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of choices, faults and the pairs of states")
	within(f, &e.From, "from", 0.5, 0, 1e6, "robot time of the first measurement, ks")
	within(f, &e.Limit, "limit", 100, 0, 1e6, "robot time to end at, ks")
	within(f, &e.Refusal, "refusal", exploration.RefusalSeconds, 0.1, 1e6,
		"seconds that a refused skill takes")
	f.BoolVar(&e.Images, "use-images", false, "the explorer looks at images of its attempts")
	atLeast(f, &e.Noise.Hand, "hand", 0, 0, "somebody moves something before every so many attempts")
	atLeast(f, &e.Noise.During, "during", 0, 0, "somebody does so during every so many attempts")
	within(f, &e.Noise.Statuses, "statuses", 0, 0, 1, "fraction of wrong statuses (0 to 1)")
	within(f, &e.Noise.Failures, "failures", 0, 0, 0.99,
		"fraction of the attempts that fail, half of these with the skill's effect (0 to 0.99)")
	cmd.MarkFlagsOneRequired("world", "simulated")
	for _, name := range []string{"simulated", "skills", "use-images", "hand", "during", "statuses",
		"failures"} {
		cmd.MarkFlagsMutuallyExclusive("world", name)
	}
	cmd.MarkFlagsMutuallyExclusive("simulated", "policy")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		said := explorationOutput{Seed: e.Seed}
		if simulated.name == "" {
			e.World, err = world()
		} else {
			e.Simulated, err = simulated.world()
		}
		if err != nil {
			return err
		}
		if e.Stop && e.Policy != trials.Informed {
			return usagef("--stop: policy %s does not expect anything", e.Policy)
		}
		said.World = cmp.Or(simulated.name, f.Lookup("world").Value.String())
		if said.Explored, err = e.Run(cmd.Context()); err != nil {
			return err
		}
		return encode(cmd.OutOrStdout(), said)
	}
	return cmd
}
