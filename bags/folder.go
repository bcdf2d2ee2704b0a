package bags

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stripswm/internal/files"
	"stripswm/msgs"
)

// FolderTopic is the topic that has the images of a folder.
const FolderTopic = "/images"

// A folderFile is a folder of images with its transitions.csv, seen as the messages that a recorder
// would have written. Stamps are made up: images come a second apart. It is only ever read.
type folderFile struct {
	dir    *os.Root // no link in it leads out of it
	name   string
	index  int
	size   int64 // of the table
	table  *table
	stamps [][2]int // of each row's images, seconds
	topics struct{ images, transitions, resets, names *Topic }
}

// folderBegin is the stamp of the first image, so that the same folder gives the same messages.
var folderBegin = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func openFolder(path, name string, index int, topics topicSet) (*folderFile, error) {
	file, err := files.Open(path, maxTable)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f := &folderFile{name: name, index: index, size: file.Size()}
	if f.table, err = parseTable(file); err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	if f.dir, err = os.OpenRoot(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := f.findImages(); err != nil {
		return nil, fmt.Errorf("%s:%w", path, errors.Join(err, f.dir.Close()))
	}
	f.number()
	for _, t := range []struct {
		at         **Topic
		name, kind string
	}{
		{&f.topics.images, FolderTopic, compressedType},
		{&f.topics.transitions, DefaultTransitionTopic, transitionType},
		{&f.topics.resets, ResetTopic, (*msgs.String)(nil).ROSType()},
		{&f.topics.names, NamesTopic, (*msgs.String)(nil).ROSType()},
	} {
		topic, err := NewTopic(t.name, t.kind)
		if err != nil {
			return nil, err
		}
		if *t.at, err = topics.add(topic); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// findImages checks that all images are there, before hours of work.
func (f *folderFile) findImages() error {
	seen := map[string]bool{}
	for _, r := range f.table.rows {
		for _, path := range []string{r.before, r.after} {
			if seen[path] {
				continue
			}
			seen[path] = true
			info, err := f.dir.Stat(path)
			switch {
			case err != nil:
				// %v: it does not wrap fs.ErrNotExist, which says that a data file of a bag is missing
				return fmt.Errorf("%d: %w: %v", r.line, ErrReference, err)
			case !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxImage:
				return fmt.Errorf("%d: %w: %s is no file of 1 to %d bytes", r.line, ErrReference, path,
					maxImage)
			}
		}
	}
	return nil
}

// number stamps the images, a second apart. The image after an attempt is also the one before the
// next, if the table names the same file. Named at any other place, a file is another image, as
// stamps must not go back.
func (f *folderFile) number() {
	next := 0
	stamp := func() int { next++; return next - 1 }
	for i, r := range f.table.rows {
		var s [2]int
		if i > 0 && !r.reset && f.table.rows[i-1].after == r.before && r.after != r.before {
			s[0] = f.stamps[i-1][1]
		} else {
			s[0] = stamp()
		}
		if s[1] = s[0]; r.after != r.before {
			s[1] = stamp()
		}
		f.stamps = append(f.stamps, s)
	}
}

func (f *folderFile) close() error { return f.dir.Close() }
func (f *folderFile) bytes() int64 { return f.size }

func (f *folderFile) scan(v *visitor) {
	w := folderScan{folderFile: f, v: v}
	if len(f.table.names) > 0 &&
		!w.send(f.topics.names, 0, location{}, &msgs.String{Data: strings.Join(f.table.names, "\n")}) {
		return
	}
	done := int64(0)
	for i := range f.table.rows {
		if !w.row(i) {
			return
		}
		if v.progress != nil {
			now := f.size * int64(i+1) / int64(len(f.table.rows))
			v.progress(now - done)
			done = now
		}
	}
}

type folderScan struct {
	*folderFile
	v   *visitor
	now int // row
}

// row sends the messages of an attempt: a reset, images that were not sent yet, the transition.
func (w *folderScan) row(i int) bool {
	w.now = i
	r, s := w.table.rows[i], w.stamps[i]
	at := location{file: w.index, record: int64(r.line)}
	if r.reset && !w.send(w.topics.resets, s[0], at, &msgs.String{Data: "reset"}) {
		return false
	}
	for k := range s {
		if k == 0 && i > 0 && s[0] == w.stamps[i-1][1] || k == 1 && s[1] == s[0] {
			continue
		}
		at.off = k
		m, err := w.image(i, k)
		if err != nil {
			if !w.v.fault(&Fault{File: w.name, Offset: int64(r.line), Index: -1, Kind: ErrImage,
				Detail: err.Error()}) {
				return false
			}
			continue
		}
		if !w.send(w.topics.images, s[k], at, m) {
			return false
		}
	}
	return w.send(w.topics.transitions, s[1], at, &msgs.Transition{
		Header: msgs.Header{Stamp: folderStamp(s[1])}, ImageTopic: FolderTopic,
		Before: folderStamp(s[0]), Action: r.action, After: folderStamp(s[1]), Outcome: uint8(r.outcome),
		Note: r.name,
	})
}

func (w *folderScan) send(t *Topic, second int, at location, m msgs.Message) bool {
	data, err := msgs.Marshal(m)
	if err != nil {
		return w.v.fault(faultAt(w.name, at.record, ErrDamaged, "%s", err))
	}
	at.n = len(data)
	stamp := folderBegin.Add(time.Duration(second) * time.Second).UnixNano()
	return w.v.message(Message{Topic: t, Received: stamp, Published: stamp, Sequence: uint32(w.now),
		Data: data, at: at})
}

func folderStamp(second int) msgs.Time {
	return msgs.TimeFrom(folderBegin.Add(time.Duration(second) * time.Second))
}

// image reads the image before (0) or after (1) an attempt.
func (f *folderFile) image(row, which int) (*msgs.CompressedImage, error) {
	path := f.path(row, which)
	file, err := files.OpenIn(f.dir, path, maxImage)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	m := &msgs.CompressedImage{Header: msgs.Header{Stamp: folderStamp(f.stamps[row][which])},
		Data: data}
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		m.Format = "png"
	case bytes.HasPrefix(data, []byte{0xff, 0xd8}):
		m.Format = "jpeg"
	default:
		return nil, fmt.Errorf("%s is neither PNG nor JPEG", path)
	}
	return m, nil
}

func (f *folderFile) path(row, which int) string {
	if which == 0 {
		return f.table.rows[row].before
	}
	return f.table.rows[row].after
}

func (f *folderFile) load(at location) ([]byte, error) {
	m, err := f.image(f.row(at), at.off)
	if err != nil {
		return nil, err
	}
	return msgs.Marshal(m)
}

// row is the index of the row on the line of a location.
func (f *folderFile) row(at location) int {
	return sort.Search(len(f.table.rows), func(i int) bool {
		return int64(f.table.rows[i].line) >= at.record
	})
}

// TableName is the file that makes a folder of images a recording.
const TableName = "transitions.csv"

// A table is what transitions.csv says, its rows in the order of the file.
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
	var known bool
	if row.outcome, known = tableOutcomes[fields[3]]; !known {
		return row, fmt.Errorf("unknown outcome %.80q: want succeeded, refused or failed", fields[3])
	}
	if len(fields) == 5 {
		if row.reset, known = tableResets[fields[4]]; !known {
			return row, fmt.Errorf("reset %.80q: want 1 where somebody changed the scene before the "+
				"attempt, else 0 or nothing", fields[4])
		}
	}
	return row, nil
}

var (
	tableOutcomes = map[string]Outcome{"succeeded": Succeeded, "refused": Refused, "failed": Failed}
	tableResets   = map[string]bool{"": false, "0": false, "1": true}
)

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
	case len(field) > maxName || !utf8.ValidString(field) || strings.ContainsFunc(field, unprintable):
		return 0, "", fmt.Errorf("action %.120q: a name is one word of at most %d bytes, such as pick_up",
			field, maxName)
	}
	return 0, field, nil
}

func unprintable(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }

func (r *tableRow) label() string {
	if r.name != "" {
		return r.name
	}
	return strconv.Itoa(int(r.action))
}

// number gives the names ids, in alphabetical order, so that another recording of the same skills
// has the same ids.
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

// Import makes a recording at out, which must not exist, of a folder of images with
// transitions.csv. It decodes all images, and ends at the first that it cannot decode. After an
// error nothing is left; an import that is killed leaves a files.Draft. The same folder gives the
// same data.
func Import(ctx context.Context, dir, out string, decode Decoder,
	progress func(done, total int64),
) (*Report, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	if names, _, _, err := dataFiles(dir); err != nil {
		return nil, fmt.Errorf("import: %w", err)
	} else if names[0] != TableName {
		return nil, fmt.Errorf("import %s: %w: it is a recording already", dir, ErrUnsupported)
	}
	var report *Report
	err = files.Create(out, func(at string) error {
		w, err := Create(at, Options{SyncEvery: -1})
		if err != nil {
			return err
		}
		report, err = check(ctx, dir, decode, progress, func(m *Message) error {
			if err := w.AddTopic(*m.Topic); err != nil {
				return err
			}
			return w.WriteRaw(m.Topic.Name, m.Received, m.Published, m.Data)
		})
		if err == nil && report.FaultCount > 0 {
			err = report.Faults[0]
		}
		if err = errors.Join(err, w.Close()); err == nil {
			report.Path, report.Bytes = out, w.Size()
		}
		return err
	})
	if err != nil {
		return report, fmt.Errorf("import %s: %w", dir, err)
	}
	return report, nil
}
