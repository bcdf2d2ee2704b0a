package report_test

import (
	"regexp"
	"strings"
	"testing"
)

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
