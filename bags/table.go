package bags

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TableName is the file that makes a folder of images a recording.
const TableName = "transitions.csv"

// Bounds on a table, so that a malformed one cannot ask for unlimited memory.
const (
	maxTable    = 1 << 30 // bytes
	maxRows     = 1 << 22
	maxActionID = 1 << 16
	maxName     = 100 // bytes of an action's name
	maxPath     = 4096
)

// A table is what transitions.csv says. Rows are in the order of the file.
type table struct {
	rows []tableRow
	// names of actions 1, 2, ... in alphabetical order; nil where the table has ids.
	names []string
	// ignored are the names of the columns that mean nothing here.
	ignored []string
}

type tableRow struct {
	line          int
	before, after string // paths of images, relative to the folder
	action        uint32
	outcome       Outcome
	reset         bool // somebody changed the scene before it
	name          string
}

// parseTable reads a table: a header with the columns before, action, after, outcome and perhaps
// reset, in any order and among others, then an attempt a row. Actions are all ids from 1 on, or
// all names. Errors begin with the line and wrap ErrTransition.
func parseTable(r io.Reader) (*table, error) {
	in := csv.NewReader(io.LimitReader(r, maxTable))
	in.FieldsPerRecord = -1 // counted below, for a better message
	in.ReuseRecord = true
	p := tableParser{table: &table{}}
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		line := 0
		if parse, ok := errors.AsType[*csv.ParseError](err); ok {
			line, err = parse.Line, parse.Err
		}
		if err == nil {
			line, _ = in.FieldPos(0)
			err = p.record(line, fields)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w: %w", line, ErrTransition, err)
		}
	}
	if p.columns == 0 {
		return nil, fmt.Errorf("1: %w: the file is empty; its first line must be %s", ErrTransition,
			tableHeader)
	}
	return p.table, p.number()
}

const tableHeader = "the columns before,action,after,outcome and perhaps reset"

// tableColumns are the columns that a row is read from; the last may be missing.
var tableColumns = []string{"before", "action", "after", "outcome", "reset"}

type tableParser struct {
	*table
	columns int
	at      []int // where each of tableColumns is
}

func (p *tableParser) header(fields []string) error {
	p.columns = len(fields)
	for _, name := range tableColumns {
		i := slices.Index(fields, name)
		switch {
		case i < 0 && name != "reset":
			return fmt.Errorf("the header is %.200q, want %s", strings.Join(fields, ","), tableHeader)
		case i < 0:
			continue
		case slices.Contains(fields[i+1:], name):
			return fmt.Errorf("the header names the column %s twice", name)
		}
		p.at = append(p.at, i)
	}
	for i, name := range fields {
		if !slices.Contains(p.at, i) {
			p.ignored = append(p.ignored, name)
		}
	}
	return nil
}

func (p *tableParser) record(line int, fields []string) error {
	for i, f := range fields {
		fields[i] = strings.TrimSpace(f)
	}
	if p.columns == 0 {
		fields[0] = strings.TrimPrefix(fields[0], "\ufeff") // of spreadsheets
		return p.header(fields)
	}
	if len(fields) != p.columns {
		return fmt.Errorf("%d fields, the header has %d", len(fields), p.columns)
	}
	if len(p.rows) == maxRows {
		return fmt.Errorf("more than %d attempts", maxRows)
	}
	var known []string
	for _, i := range p.at {
		known = append(known, fields[i])
	}
	row, err := parseRow(known)
	if err != nil {
		return err
	}
	if len(p.rows) > 0 {
		if first := p.rows[0]; (first.name == "") != (row.name == "") {
			return fmt.Errorf("action %q, but line %d has %q: want all ids or all names", row.label(),
				first.line, first.label())
		}
	}
	row.line = line
	p.rows = append(p.rows, row)
	return nil
}

func parseRow(fields []string) (row tableRow, err error) {
	if row.before, err = imagePath("before", fields[0]); err != nil {
		return row, err
	}
	if row.after, err = imagePath("after", fields[2]); err != nil {
		return row, err
	}
	if row.action, row.name, err = parseAction(fields[1]); err != nil {
		return row, err
	}
	switch fields[3] {
	case "succeeded":
		row.outcome = Succeeded
	case "refused":
		row.outcome = Refused
	case "failed":
		row.outcome = Failed
	default:
		return row, fmt.Errorf("unknown outcome %.80q: want succeeded, refused or failed", fields[3])
	}
	if len(fields) == 5 {
		switch fields[4] {
		case "", "0":
		case "1":
			row.reset = true
		default:
			return row,
				fmt.Errorf(
					"reset %.80q: want 1 where somebody changed the scene before the attempt, else 0 or nothing",
					fields[4])
		}
	}
	return row, nil
}

func imagePath(column, field string) (string, error) {
	if field == "" {
		return "", fmt.Errorf("no image %s", column)
	}
	path := filepath.FromSlash(field)
	if len(path) > maxPath || !filepath.IsLocal(path) {
		return "", fmt.Errorf("image %s %.200q: want a path inside the folder", column, field)
	}
	return filepath.Clean(path), nil
}

// parseAction reads an id, or else a name.
func parseAction(field string) (id uint32, name string, err error) {
	n, err := strconv.Atoi(field)
	switch {
	case err == nil && n >= 1 && n <= maxActionID:
		return uint32(n), "", nil
	case err == nil || errors.Is(err, strconv.ErrRange):
		return 0, "", fmt.Errorf("action %.80s: ids are 1 to %d", field, maxActionID)
	case field == "":
		return 0, "", errors.New("no action")
	case len(field) > maxName || !utf8.ValidString(field) ||
		strings.ContainsFunc(field, func(r rune) bool {
			return !unicode.IsGraphic(r) ||
				unicode.IsSpace(r)
		}):
		return 0, "", fmt.Errorf("action %.120q: a name is one word of at most %d bytes, such as pick_up",
			field, maxName)
	}
	return 0, field, nil
}

func (r *tableRow) label() string {
	if r.name != "" {
		return r.name
	}
	return strconv.Itoa(int(r.action))
}

// number gives the names ids: in alphabetical order, so that another recording of the same skills
// has the same.
func (t *table) number() error {
	if len(t.rows) == 0 || t.rows[0].name == "" {
		return nil
	}
	for _, r := range t.rows {
		t.names = append(t.names, r.name)
	}
	slices.Sort(t.names)
	t.names = slices.Compact(t.names)
	if len(t.names) > maxActionID {
		return fmt.Errorf("%d: %w: %d different actions, want at most %d", t.rows[len(t.rows)-1].line,
			ErrTransition, len(t.names), maxActionID)
	}
	for i, r := range t.rows {
		at, _ := slices.BinarySearch(t.names, r.name)
		t.rows[i].action = uint32(at + 1)
	}
	return nil
}
