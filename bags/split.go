package bags

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/foxglove/mcap/go/mcap"

	"stripswm/internal/files"
)

// A dataLog is a data file that is being written.
type dataLog struct {
	name    string
	tail    *tail
	log     *mcap.Writer
	logOpts *mcap.WriterOptions // log reads ChunkSize from here on every message
}

// An endedFile is a data file that is complete.
type endedFile struct {
	fileMetadata
	size int64
}

// Split ends the data file, makes it durable and goes on in the next one of the same recording, as
// rosbag2 does. Transitions may refer to images in files before theirs; to make a file that stands
// alone, write its images again. A file without messages is not ended.
//
// If the next file cannot be made, the Writer goes on in the old one. If the old one cannot be
// ended, the Writer refuses from then on; Repair completes the recording.
func (w *Writer) Split() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.ready(); err != nil {
		return err
	}
	if err := w.sync(); err != nil {
		return err
	}
	if w.log.Statistics.MessageCount == 0 {
		return nil
	}
	next, err := w.begin()
	if err != nil {
		return fmt.Errorf("split recording %s: %w", w.dir, err)
	}
	if err := errors.Join(w.finish(), w.tail.file.Close()); err != nil {
		w.broken = fmt.Errorf("split recording %s: %w; close it and start another", w.dir, err)
		return errors.Join(w.broken, next.abandon(w.dir))
	}
	for _, t := range w.order {
		t.ended += w.log.Statistics.ChannelMessageCounts[t.id]
	}
	w.ended = append(w.ended, endedFile{w.describe(), w.tail.size})
	w.dataLog = next
	for _, t := range w.order {
		if err := w.declare(t); err != nil {
			w.broken = err
			return err
		}
	}
	return nil
}

// begin makes the next data file, with nothing in it but a header.
func (w *Writer) begin() (*dataLog, error) {
	name := fmt.Sprintf("%s_%d.mcap", w.base, w.count())
	file, err := w.opts.OpenFile(filepath.Join(w.dir, name))
	if err != nil {
		return nil, err
	}
	d := &dataLog{name: name, tail: &tail{file: file}, logOpts: &mcap.WriterOptions{
		IncludeCRC: true, Chunked: true, ChunkSize: neverCut,
		Compression: mcap.CompressionFormat(w.opts.Compression)}}
	if d.log, err = mcap.NewWriter(d.tail, d.logOpts); err == nil {
		err = d.log.WriteHeader(&mcap.Header{Profile: "ros2"})
	}
	if err == nil {
		err = d.tail.flush()
	}
	if err == nil {
		err = files.SyncDir(w.dir)
	}
	if err != nil {
		return nil, errors.Join(err, d.abandon(w.dir))
	}
	return d, nil
}

// abandon removes a file that nothing was recorded in.
func (d *dataLog) abandon(dir string) error {
	return errors.Join(d.tail.file.Close(), os.Remove(filepath.Join(dir, d.name)))
}

// count is the number of data files begun so far.
func (w *Writer) count() int {
	if w.dataLog == nil {
		return len(w.ended)
	}
	return len(w.ended) + 1
}

// declare writes what a file must say of a topic before its first message.
func (d *dataLog) declare(t *writerTopic) error {
	err := d.log.WriteSchema(&mcap.Schema{ID: t.id, Name: t.Type, Encoding: cmp.Or(t.SchemaEncoding,
		ros2msg), Data: []byte(t.Schema)})
	if err == nil {
		err = d.log.WriteChannel(&mcap.Channel{ID: t.id, SchemaID: t.id, Topic: t.Name,
			MessageEncoding: cmp.Or(t.Encoding, cdr),
			Metadata:        map[string]string{"offered_qos_profiles": t.QoS}})
	}
	if err != nil {
		return fmt.Errorf("topic %s: %w", t.Name, err)
	}
	return nil
}

// finish writes indexes and footer and makes all durable. Nothing may be pending.
func (d *dataLog) finish() error {
	if err := d.log.Close(); err != nil {
		return err
	}
	if err := d.tail.flush(); err != nil {
		return err
	}
	return d.tail.sync()
}

// describe is what metadata.yaml says of the file.
func (d *dataLog) describe() fileMetadata {
	s := d.log.Statistics
	return fileMetadata{d.name, sinceEpoch{int64(s.MessageStartTime)},
		nanoseconds{int64(s.MessageEndTime - s.MessageStartTime)}, s.MessageCount}
}

func (w *Writer) metadata() *metadata {
	m := &metadata{Version: metadataVersion, Storage: "mcap", Topics: []topicMetadata{}}
	for _, f := range w.ended {
		m.add(f.fileMetadata)
	}
	m.add(w.describe())
	for _, t := range w.earlier {
		if w.topics[t.Topic.Name] == nil {
			m.Topics = append(m.Topics, t)
		}
	}
	for _, t := range w.order {
		var tm topicMetadata
		tm.Topic.Name, tm.Topic.Type, tm.Topic.Serialization = t.Name, t.Type, cmp.Or(t.Encoding, cdr)
		tm.Topic.QoS.SetString(t.QoS)
		tm.Messages = t.ended + w.log.Statistics.ChannelMessageCounts[t.id]
		m.Topics = append(m.Topics, tm)
	}
	return m
}

// add counts a file in.
func (m *metadata) add(f fileMetadata) {
	m.Paths, m.Files = append(m.Paths, f.Path), append(m.Files, f)
	if f.Messages == 0 {
		return
	}
	start, end := m.Start.Nanoseconds, m.Start.Nanoseconds+m.Duration.Nanoseconds
	if m.Messages == 0 {
		start, end = f.Start.Nanoseconds, f.Start.Nanoseconds
	}
	start = min(start, f.Start.Nanoseconds)
	m.Start.Nanoseconds, m.Duration.Nanoseconds = start, max(end,
		f.Start.Nanoseconds+f.Duration.Nanoseconds)-start
	m.Messages += f.Messages
}
