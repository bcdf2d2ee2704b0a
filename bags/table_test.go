package bags

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const tableHead = "before,action,after,outcome\n"

func TestTable(t *testing.T) {
	got, err := parseTable(strings.NewReader("\ufeffbefore,action,after,outcome,reset\r\n" +
		"img/1.png, place " +
		",img/2.png,succeeded,\r\n\"a,b.jpg\",pick,c.jpg,refused,1\r\nx,pick,x,failed,0\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []tableRow{
		{2, "img/1.png", "img/2.png", 2, Succeeded, false, "place"},
		{3, "a,b.jpg", "c.jpg", 1, Refused, true, "pick"},
		{4, "x", "x", 1, Failed, false, "pick"},
	}
	if !slices.Equal(got.rows, want) || !slices.Equal(got.names, []string{"pick", "place"}) {
		t.Errorf("got %+v, names %q, want %+v", got.rows, got.names, want)
	}
	mixed, err := parseTable(strings.NewReader("when,after,before,action,outcome,note\n" +
		"12:00,b,a,1,failed,\"x, y\"\n"))
	if err != nil || !slices.Equal(mixed.rows, []tableRow{{2, "a", "b", 1, Failed, false, ""}}) ||
		!slices.Equal(mixed.ignored, []string{"when", "note"}) {
		t.Errorf("other columns, in another order: %+v, %v", mixed, err)
	}
	ids, err := parseTable(strings.NewReader(tableHead + "1,7,2,succeeded\n"))
	if err != nil || ids.rows[0].action != 7 || ids.names != nil {
		t.Errorf("got %+v, %v", ids, err)
	}
	if none, err := parseTable(strings.NewReader(tableHead)); err != nil || len(none.rows) != 0 {
		t.Errorf("got %+v, %v", none, err)
	}
}

func TestFaultyTables(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":              {"", "1: bad transition: the file is empty"},
		"no header":          {"a,1,b,succeeded\n", "1: bad transition: the header is"},
		"a column missing":   {"before,action,outcome\n", "want the columns before,action,after,outcome"},
		"a column twice":     {"before,action,after,outcome,action\n", "names the column action twice"},
		"unknown outcome":    {tableHead + "a,1,b,succeeded\na,1,b,ok\n", `3: bad transition: unknown outcome "ok": want succeeded, refused or failed`},
		"bad reset":          {"before,action,after,outcome,reset\na,1,b,succeeded,yes\n", `2: bad transition: reset "yes": want 1`},
		"few fields":         {tableHead + "a,1,b\n", "2: bad transition: 3 fields, the header has 4"},
		"many fields":        {tableHead + "a,1,b,failed,1\n", "2: bad transition: 5 fields"},
		"no image":           {tableHead + "a,1,,failed\n", "2: bad transition: no image after"},
		"outside":            {tableHead + "../a,1,b,failed\n", `2: bad transition: image before "../a": want a path inside`},
		"absolute":           {tableHead + "/a,1,b,failed\n", "want a path inside"},
		"action 0":           {tableHead + "a,0,b,failed\n", "2: bad transition: action 0: ids are 1 to"},
		"negative action":    {tableHead + "a,-3,b,failed\n", "action -3: ids are 1 to"},
		"huge action":        {tableHead + "a,99999999999999999999,b,failed\n", "ids are 1 to"},
		"no action":          {tableHead + "a,,b,failed\n", "2: bad transition: no action"},
		"two words":          {tableHead + "a,pick up,b,failed\n", "one word"},
		"name after ids":     {tableHead + "a,1,b,failed\na,pick,b,failed\n", `3: bad transition: action "pick", but line 2 has "1"`},
		"id after names":     {tableHead + "a,pick,b,failed\n\na,1,b,failed\n", `4: bad transition: action "1", but line 2 has "pick"`},
		"unfinished header":  {"\"before", "1: bad transition: extraneous"},
		"unfinished quote":   {tableHead + "a,1,\"b,failed\n", "bad transition: "},
		"quote in the field": {tableHead + "a,1,b\"b,failed\n", "2: bad transition: bare"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseTable(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrTransition) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// FuzzTable gives arbitrary text to the reader of tables: it must not panic, and what it lets
// through keeps its promises.
func FuzzTable(f *testing.F) {
	f.Add(tableHead + "a,1,b,succeeded\n")
	f.Add("\ufeffbefore,action,after,outcome,reset\na,pick,b,refused,1\n\"a\nb\",place,b,failed,\n")
	f.Add(tableHead + "a,1,\"b,failed\n")
	f.Add("\"before")
	f.Add("note,outcome,after,before,action\n,failed,b,a,1\n")
	f.Add(tableHead + "../a,-1,b,failed\n,,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := parseTable(strings.NewReader(text))
		if err != nil {
			if !errors.Is(err, ErrTransition) {
				t.Errorf("error %v is of no kind", err)
			}
			return
		}
		line := 1
		for _, r := range table.rows {
			if r.line <= line || r.action < 1 || r.action > maxActionID || r.outcome < Succeeded ||
				r.outcome > Failed || r.before == "" || r.after == "" ||
				r.name != "" && table.names[r.action-1] != r.name {
				t.Fatalf("row %+v, names %q", r, table.names)
			}
			line = r.line
		}
	})
}
