package bags

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"stripswm/internal/files"
)

// A sqliteFile is a data file of rosbag2's sqlite3 storage. It is only ever read.
type sqliteFile struct {
	index  int
	name   string
	db     *sql.DB
	size   int64
	topics topicSet
}

func openSQLite(path, name string, index int, topics topicSet) (*sqliteFile, error) {
	file, err := files.Open(path, math.MaxInt64) // the driver would make a missing file
	if err != nil {
		return nil, err
	}
	size := file.Size()
	if err := file.Close(); err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	// With immutable the driver takes no locks and writes no files beside the data.
	uri := url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro&immutable=1"}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, err
	}
	return &sqliteFile{index: index, name: name, db: db, size: size, topics: topics}, nil
}

func (f *sqliteFile) close() error { return f.db.Close() }
func (f *sqliteFile) bytes() int64 { return f.size }

func (f *sqliteFile) scan(v *visitor) {
	if err := f.run(v); err != nil {
		fault, ok := errors.AsType[*Fault](err)
		if !ok {
			fault = faultAt(f.name, -1, ErrDamaged, "%s", err)
		}
		v.fault(fault)
	}
	if v.progress != nil {
		v.progress(f.size)
	}
}

func (f *sqliteFile) run(v *visitor) error {
	if v.strict {
		if err := f.checkSize(); err != nil && !v.fault(err) {
			return nil
		}
		var verdict string
		if err := f.db.QueryRow(`PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" && !v.fault(faultAt(f.name, -1, ErrDamaged, "%s", verdict)) {
			return nil
		}
	}
	topics, err := f.readTopics()
	if err != nil {
		return err
	}
	rows, err := f.db.Query(`SELECT id, topic_id, timestamp, data FROM messages ORDER BY timestamp, id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, topic, stamp int64
		var data []byte
		if err := rows.Scan(&id, &topic, &stamp, &data); err != nil {
			return err
		}
		t := topics[topic]
		if t == nil {
			if !v.fault(faultAt(f.name, id, ErrDamaged, "a message on topic %d, which was not declared",
				topic)) {
				return nil
			}
			continue
		}
		if !v.message(Message{Topic: t, Received: stamp, Published: stamp, Data: data,
			at: location{file: f.index, record: id, n: len(data)}}) {
			return nil
		}
	}
	return rows.Err()
}

// checkSize finds databases that were cut short, even if only in pages without messages.
func (f *sqliteFile) checkSize() *Fault {
	var pages, size int64
	err := f.db.QueryRow(`SELECT page_count, page_size FROM pragma_page_count, pragma_page_size`).Scan(&pages, &size)
	if err != nil {
		return faultAt(f.name, -1, ErrDamaged, "%s", err)
	}
	if pages*size != f.size {
		return faultAt(f.name, -1, ErrTruncated, "%d bytes where %d pages of %d must be", f.size, pages,
			size)
	}
	return nil
}

func (f *sqliteFile) readTopics() (map[int64]*Topic, error) {
	qos := "offered_qos_profiles"
	var known bool // recordings of before Foxy have no such column
	err := f.db.QueryRow(`SELECT count(*) FROM pragma_table_info('topics') WHERE name = ?`, qos).Scan(
		&known)
	if err != nil {
		return nil, err
	}
	if !known {
		qos = "''"
	}
	rows, err := f.db.Query(`SELECT id, name, type, serialization_format, ` + qos + ` FROM topics`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	topics := map[int64]*Topic{}
	for rows.Next() {
		var id int64
		var format string
		var t Topic
		if err := rows.Scan(&id, &t.Name, &t.Type, &format, &t.QoS); err != nil {
			return nil, err
		}
		if format != cdr {
			t.Encoding = cmp.Or(format, "unknown")
		}
		if topics[id], err = f.topics.add(t); err != nil {
			return nil, err
		}
	}
	return topics, rows.Err()
}

func (f *sqliteFile) load(at location) ([]byte, error) {
	var data []byte
	if err := f.db.QueryRow(`SELECT data FROM messages WHERE id = ?`, at.record).Scan(&data); err != nil {
		return nil, fmt.Errorf("%s: row %d: %w", f.name, at.record, err)
	}
	return data, nil
}
