package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
)

var keep = flag.String("keep", "",
	"write the reports of the tests to this directory, to look at them")

// reported writes a report and reads its files back.
func reported(name string, in report.Input) map[string][]byte {
	dir := filepath.Join(*keep, name)
	if *keep == "" {
		dir = must(os.MkdirTemp("", "report"))
		defer os.RemoveAll(dir)
	}
	must(0, report.Write(dir, in))
	files := map[string][]byte{}
	for _, e := range must(os.ReadDir(dir)) {
		files[e.Name()] = must(os.ReadFile(filepath.Join(dir, e.Name())))
	}
	return files
}

// reportedBlocks is the report of a whole run, which several tests look at.
var reportedBlocks = sync.OnceValue(func() map[string][]byte {
	return reported("blocksworld", blocksWorld())
})

func TestEveryImageIsAFile(t *testing.T) {
	files := reportedBlocks()
	for _, name := range []string{"report.html", "task_graph.svg", "task_graph.dot",
		"contact_sheet.png", "film_strip.png", "out_of_distribution.png", "predicate_matrix.svg",
		"operators.txt", "loss.svg", "loss.png", "codes.svg", "codes.png", "classifier.svg",
		"classifier.png", "success.svg", "success.png",
		"ablation.svg", "ablation.png", "reliability.svg", "reliability.png", "mistakes.svg",
		"mistakes.png"} {
		data, ok := files[name]
		if !ok {
			t.Errorf("no %s", name)
			continue
		}
		var err error
		switch filepath.Ext(name) {
		case ".png":
			_, err = png.Decode(bytes.NewReader(data))
		case ".svg":
			err = wellFormed(data)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if want := "pick_0_2: needs p0, ¬p1, ¬p2, ¬p5; adds p2; deletes p0\n"; !strings.Contains(
		string(files["operators.txt"]), want) {
		t.Errorf("operators.txt has no line %q:\n%s", want, files["operators.txt"])
	}
}

func TestPageStandsAlone(t *testing.T) {
	page := string(reportedBlocks()["report.html"])
	for _, bad := range []string{"<script", "http://", "https://", "@import", "ZgotmplZ", "<?xml"} {
		if i := strings.Index(strings.ReplaceAll(page, `"http://www.w3.org/`, ""), bad); i >= 0 {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, fmt.Sprintf(`id="%s"`, link[1])) {
			t.Fatalf("nothing has the id %q that a link names", link[1])
		}
	}
	for _, want := range []string{
		"16 states were learned from 5,000 transitions, as many as the world has.",
		"1,600 of 1,600 queries are solved in the ground-truth graph",
		"200 of 200 goals are reached in closed loop, through the camera of the simulated world",
		"Of 960 images with more nuisance than was trained with, 6 are classified as another state " +
			"with certainty.",
		`<td class="left">graph search</td><td>91.2</td><td class="soft">89.8 to 92.5</td><td>85.0</td>`,
		`<td class="left">no neg. &#43; min-unique</td><td>16</td><td>0</td><td>0</td><td>1,252</td><td>16</td><td>4</td>`,
		`<td>× 3</td><td>320</td><td>62.5</td><td>28.1</td><td>9.4</td><td>0.9</td><td>0.0300</td><td>0.0150</td>`,
		`<td>× 1.5</td><td>300</td><td class="rule">250</td><td>5</td><td>45</td><td class="rule">270</td><td>30</td><td class="rule">25</td><td>20</td>`,
		`<td class="left">fog</td><td>60</td><td>5.0</td><td>0.0</td><td>95.0</td>`,
		`<td class="left">all that were tampered with</td><td>120</td><td>2.5</td><td>5.0</td><td>92.5</td>`,
		"stripswm demo --domain blocksworld --preset small --seed 1",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestNoWorldIsClaimed: where a recording is all the ground truth, no plan was executed
// in a world.
func TestNoWorldIsClaimed(t *testing.T) {
	in := blocksWorld()
	in.Ground = &eval.Ground{}
	for i := range in.Horizons {
		in.Horizons[i].Executed, in.Horizons[i].Reached = 0, 0
	}
	page := string(reported("blocksworld", in)["report.html"])
	for _, bad := range []string{"simulated world", "closed loop"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page says %q", bad)
		}
	}
	if !strings.Contains(page, "queries are solved in the recorded ground-truth graph") {
		t.Error("the page does not say where queries are solved")
	}
}

// TestFacts: where facts were learned the page speaks of them, and not of a task graph.
func TestFacts(t *testing.T) {
	files := reported("facts", report.Input{Domain: "moves", Table: &eval.Abstraction{Predicates: 3},
		Objects: []byte("picture"),
		Facts: &report.Facts{Skills: 4, Successes: 1800, Refused: 239, Facts: 35, Derived: 1,
			Refusals: 200, Explained: 198, States: 2520, Alike: 2,
			NotUsed: []string{"move_mug_0 was refused"}}})
	page := string(files["report.html"])
	for _, want := range []string{
		"35 facts and 1 derived predicate were learned from 1,800 successes and 239 refusals.",
		`<li class="bad">Preconditions explain 198 of 200 refusals.`,
		`<li class="bad">move_mug_0 was refused.`,
		`<li class="bad">2 states share all facts with another.`,
		`<td class="rule">35</td><td>1</td><td>198 of 200</td>`,
		`<a href="#objects">`, `<img src="data:image/jpeg;base64,cGljdHVyZQ=="`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if string(files["objects.jpg"]) != "picture" {
		t.Error("the picture of the objects is no file")
	}
	if strings.Contains(page, "states were learned") || strings.Contains(page, "<i>S</i>") {
		t.Error("the page speaks of a task graph")
	}
}

func TestSameInputGivesTheSameBytes(t *testing.T) {
	one, two := reportedBlocks(), reported("blocksworld", blocksWorld())
	for name := range one {
		if !bytes.Equal(one[name], two[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestALessHappyRunSaysSo(t *testing.T) {
	page := string(reported("over-split", overSplit())["report.html"])
	for _, want := range []string{"some scenes were split", "Σξ = 1", "Ση = 13",
		"1 action leads from one learned state to several",
		"<li class=\"bad\">2 of 71 states were seen once.</li>",
		"<p class=\"lead\">Lead the scene there again.</p>\n<figure><img src=\"data:image/"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestAbsentSectionsAreLeftOut(t *testing.T) {
	g, _ := learned()
	tests := map[string]report.Input{
		"nothing":               {},
		"graph alone":           {Graph: g},
		"graph of no states":    {Graph: &taskgraph.Graph{}},
		"graph of one state":    {Graph: &taskgraph.Graph{Nodes: []taskgraph.Node{{Support: 1}}}},
		"states without images": {Graph: g, States: []report.StateImages{{Support: 3}, {}}},
		"more states than nodes": {Graph: &taskgraph.Graph{Nodes: make([]taskgraph.Node, 1)},
			States: make([]report.StateImages, 3)},
		"model of nothing": {Model: &strips.Model{}},
		"one training step": {
			Stage1: []vision.Evaluation{{Step: 1, Losses: map[string]float64{"dyn": 1}}}},
		"losses of zero": {
			Stage1: []vision.Evaluation{{Step: 1, Losses: map[string]float64{"dyn": 0}}}},
		"one horizon, no queries": {Report: eval.Report{Horizons: []eval.Horizon{{Horizon: 1}}}},
		"impossible condition": {Report: eval.Report{Ablation: []eval.Ablation{
			{Condition: "no neg.", Impossible: "nodes 1 and 2 cannot be kept distinct"}}}},
		"calibration of nothing": {Report: eval.Report{Calibration: []eval.Calibration{{}}}},
		"predicates by halves": {Report: eval.Report{Calibration: []eval.Calibration{
			{Predicates: make([]eval.Reliability, 2)},
			{Strength: 2, Predicates: make([]eval.Reliability, 1)}}}},
		"plan without images": {
			Plan: &report.Plan{Steps: []report.PlanStep{{Action: 3, State: -1}}}},
		"plan that is empty":       {Plan: &report.Plan{}},
		"two unconnected parts":    {Graph: &taskgraph.Graph{Nodes: make([]taskgraph.Node, 2)}},
		"classifier of one sample": {Stage3: []vision.ClassifierPoint{{}}},
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			files := reported(name, in)
			if page := string(files["report.html"]); strings.Contains(page, "NaN") ||
				strings.Contains(page, "Inf") {
				t.Error("the page shows NaN or Inf")
			}
			for file, data := range files {
				if filepath.Ext(file) != ".svg" {
					continue
				}
				if err := wellFormed(data); err != nil || bytes.Contains(data, []byte("NaN")) {
					t.Errorf("%s: %v, or NaN in it", file, err)
				}
			}
			if _, made := files["success.png"]; made != (in.Horizons != nil) {
				t.Errorf("success.png made: %v", made)
			}
		})
	}
}

func TestNamesAreEscaped(t *testing.T) {
	b := taskgraph.NewBuilder([]string{`<b>"&'`})
	must(0, b.Observe("<i>", 1, "</svg>"))
	in := report.Input{Domain: "<script>alert(1)</script>", Command: "</pre>",
		Graph: b.Graph()}
	files := reported("escaped", in)
	if err := wellFormed(files["task_graph.svg"]); err != nil {
		t.Error(err)
	}
	if page := string(files["report.html"]); strings.Contains(page, "<script>") ||
		strings.Contains(page, "<i>") && !strings.Contains(page, "&lt;i&gt;") {
		t.Error("a name became markup")
	}
}

func TestWriteKeepsOtherFiles(t *testing.T) {
	dir := t.TempDir()
	must(0, os.WriteFile(filepath.Join(dir, "demo.json"), []byte("{}"), 0o644))
	must(0, report.Write(dir, report.Input{}))
	if data, err := os.ReadFile(filepath.Join(dir, "demo.json")); err != nil || string(data) != "{}" {
		t.Errorf("demo.json: %q, %v", data, err)
	}
}

func TestWriteSaysWhereItFailed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report")
	must(0, os.WriteFile(file, nil, 0o644))
	if err := report.Write(file, report.Input{}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v, want an error that names %s", err, file)
	}
}

func wellFormed(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func ExampleWrite() {
	dir := must(os.MkdirTemp("", "report"))
	defer os.RemoveAll(dir)
	must(0, report.Write(dir, report.Input{
		Domain: "blocksworld",
		Report: eval.Report{Horizons: []eval.Horizon{{Horizon: 1, Queries: 200, SolvedGraph: 199,
			Executed: 25, Reached: 24}}},
	}))
	for _, e := range must(os.ReadDir(dir)) {
		fmt.Println(e.Name())
	}
	// Output:
	// .made-by-stripswm
	// report.html
	// success.png
	// success.svg
}

// TestImagesHaveWords: who does not see an image is told what it shows.
func TestImagesHaveWords(t *testing.T) {
	page := string(reportedBlocks()["report.html"])
	images := regexp.MustCompile(`<(img|svg)\b[^>]*>`).FindAllString(page, -1)
	if len(images) < 50 {
		t.Fatalf("the page has %d images", len(images))
	}
	said := regexp.MustCompile(`(alt|aria-label)="[^"]{3,}"|aria-hidden="true"`)
	data := regexp.MustCompile(`data:[^"]*`)
	for _, p := range images {
		if !said.MatchString(p) {
			t.Errorf("without words: %s", data.ReplaceAllString(p, "data"))
		}
	}
	for _, want := range []string{`alt="an image of state s3"`, `alt="start image"`, `alt="after pick_`} {
		if !strings.Contains(page, want) {
			t.Errorf("no image has %s", want)
		}
	}
}

// TestWideThingsScrollByThemselves holds the page to a phone's width: what can be wider is in a box
// that scrolls.
func TestWideThingsScrollByThemselves(t *testing.T) {
	page := string(reportedBlocks()["report.html"])
	if !strings.Contains(page, `<meta name="viewport" content="width=device-width, initial-scale=1">`) {
		t.Error("a phone shows the page at a desk's width")
	}
	all, boxed := strings.Count(page, "<table"), strings.Count(page, `<div class="scroll"><table`)
	if all == 0 || boxed != all {
		t.Errorf("%d of %d tables are in a box that scrolls", boxed, all)
	}
	for _, id := range []string{"graph", "predicates"} {
		_, section, _ := strings.Cut(page, `<section id="`+id+`"`)
		section, _, _ = strings.Cut(section, "</section>")
		if !strings.Contains(section, `<figure class="scroll`) {
			t.Errorf("the drawing of section %s does not scroll", id)
		}
	}
}

// TestDarkPage: a colour that is written out in a rule stays light in the dark. White paper is left
// to photographs.
func TestDarkPage(t *testing.T) {
	page := string(reportedBlocks()["report.html"])
	light, dark, ok := strings.Cut(page[:strings.Index(page, "</style>")],
		"@media screen and (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("the page knows no dark")
	}
	variable := regexp.MustCompile(`(--\w+): #`)
	for _, name := range variable.FindAllStringSubmatch(light, -1) {
		if !strings.Contains(dark, name[1]+": #") {
			t.Errorf("%s is the same in the dark", name[1])
		}
	}
	if written := regexp.MustCompile(`[^-\w](color|background|border[\w-]*): [^;]*#[0-9a-f]{3}`).FindString(light); written != "" {
		t.Errorf("a rule has a colour of its own: %s", written)
	}
}
