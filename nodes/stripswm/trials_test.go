package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"stripswm/nodes/eval"
)

// TestAttempts learns BlocksWorld from few attempts, from enough, and from some with wrong labels.
func TestAttempts(t *testing.T) {
	var few, enough, wrong attemptsOutput
	said(t, "research attempts --world blocks --attempts 50,500,1000", &few)
	if few.Enough != 500 || len(few.Learned) != 3 || few.Learned[0].Score.Plans > 0.5 {
		t.Errorf("%+v", few)
	}
	said(t, "research attempts --world blocks --attempts 500 --search greedy", &enough)
	if l := enough.Learned[0]; l.Score.States != 16 || l.Score.Plans != 1 || l.Search.Reached != 100 {
		t.Errorf("%+v, %+v", l.Score, l.Search)
	}
	said(t, "research attempts --world blocks --attempts 500 --mislabel 0.1", &wrong)
	if wrong.Enough != 0 {
		t.Errorf("with wrong labels: %+v", wrong)
	}
	ends(t, map[string]end{
		"research attempts --world mars --attempts 5":                 {exitUsage, "there are [table"},
		"research attempts --world blocks --attempts 0":               {exitUsage, "at least 1"},
		"research attempts --world table_10_25 --attempts 1":          {exitFailure, "too many states"},
		"research attempts --world blocks":                            {exitUsage, "attempts"},
		"research exploration --world blocks --use-images":            {exitUsage, "use-images"},
		"research exploration --world blocks --stop --policy uniform": {exitUsage, "--stop"},
		"research exploration":                                        {exitUsage, "simulated"},
	})
}

// TestExploration has a robot explore: in symbols until plans are right and until it expects that,
// and in a simulated world in which some statuses are wrong, with images and without.
func TestExploration(t *testing.T) {
	explore := func(flags string) (r explorationOutput) {
		said(t, "research exploration --limit 3 --seed 1 "+flags, &r)
		return r
	}
	plain, stops := explore("--world blocks"), explore("--world blocks --stop --curve --limit 5")
	if plain.Right == nil || plain.Right.Plans < 95 || *plain.Right != plain.End {
		t.Errorf("%+v", plain)
	}
	if again := explore("--world blocks"); again.End != plain.End {
		t.Errorf("the same seed gives %+v and %+v", plain, again)
	}
	if stops.Right == nil || stops.End.KS <= stops.Right.KS || stops.End.Expected < 95 ||
		len(stops.Curve) < 2 {
		t.Errorf("until it stops: %+v", stops)
	}
	for _, images := range []bool{false, true} {
		r := explore(fmt.Sprintf("--simulated blocksworld --statuses 0.03 --use-images=%v", images))
		if (r.Right != nil) != images {
			t.Errorf("images %v: %+v", images, r)
		}
	}
}

// TestEffects compares facts of a simulated recording, some of whose attempts fail, with the truth,
// and those of a folder whose truth is the place of one object.
func TestEffects(t *testing.T) {
	bag := filepath.Join(t.TempDir(), "bag")
	succeeds(t, "record --world moves --states all --size 64 --transitions 450 --failures 0.02 "+
		"--out "+bag)
	var r eval.Effects
	said(t, "research effects --side 32 --bag "+bag, &r)
	if r.Words == 0 || r.Found < r.Words-3 || r.Known < r.Values*9/10 || r.Right < r.Known*99/100 {
		t.Errorf("%+v", r)
	}
	dir, _ := labelledBlocks(t)
	said(t, "research effects --bag "+dir, &r)
	if r.Attempts != 36 || r.Words == 0 {
		t.Errorf("of a folder: %+v", r)
	}
	must(0, os.Remove(filepath.Join(dir, "truth.csv")))
	ends(t, map[string]end{"research effects --bag " + dir: {exitInput, "has no truth.csv"}})
}
