package vision

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/google/renameio/v2"

	"stripswm/internal/files"
)

// ErrCheckpoint is returned when a checkpoint is damaged or does not fit the
// training that should resume from it.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpoint is the state of a training run, enough to continue it as if it had
// not been interrupted.
type checkpoint struct {
	Settings    string // the preset, in full
	Seed        uint64
	Transitions int
	Step        int // steps made
	State       [4][]float32
	Sums        []float64 // of metrics, Count times, since the last evaluation
	Count       int
	History     []Evaluation
	Settled     int
	Found       int
	Cuts        []int
	Best        []float32
	Chosen      Evaluation
}

// save writes the state after so many steps, atomically, so that an interruption leaves the last
// one.
func (t *trainer) save(steps int) error {
	if t.options.Checkpoint == "" {
		return nil
	}
	c := checkpoint{
		Settings: t.preset.settings(), Seed: t.options.Seed, Transitions: len(t.data.Transitions),
		Step: steps, Sums: t.engine.Sums, Count: t.engine.Count, History: t.history, Settled: t.settled,
		Found: t.separated, Cuts: t.cuts, Best: t.best, Chosen: t.chosen,
	}
	copy(c.State[:], t.engine.State())
	if err := writeGob(t.options.Checkpoint, c); err != nil {
		return err
	}
	t.saved = steps
	return nil
}

// resume continues from the checkpoint file where that is asked for and there is one. Where it is
// not, the file will be replaced: it has to be a checkpoint.
func (t *trainer) resume() error {
	if t.options.Checkpoint == "" {
		return nil
	}
	if !t.options.Resume {
		return replaceable(t.options.Checkpoint)
	}
	var c checkpoint
	if err := readGob(t.options.Checkpoint, &c); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if c.Settings != t.preset.settings() || c.Seed != t.options.Seed ||
		c.Transitions != len(t.data.Transitions) ||
		len(c.State[0]) != len(t.engine.State().Weights()) {
		settings := "these settings"
		if c.Settings != t.preset.settings() {
			settings = "other settings"
		}
		return fmt.Errorf("%w: it does not fit: %s has seed %d, %d transitions and %s; "+
			"run without --resume to start again",
			ErrCheckpoint, t.options.Checkpoint, c.Seed, c.Transitions, settings)
	}
	for i := range c.State {
		copy(t.engine.State()[i], c.State[i])
	}
	t.step, t.saved, t.engine.Sums, t.engine.Count = c.Step, c.Step, c.Sums, c.Count
	t.history, t.settled, t.separated, t.cuts, t.best, t.chosen = c.History, c.Settled, c.Found,
		c.Cuts, c.Best, c.Chosen
	return nil
}

// firstNames are the names in settings of what has another name now, so that checkpoints that were
// written before still fit.
var firstNames = strings.NewReplacer("networks.", "vision.",
	"FallbackSmall:", "Mild:", "FallbackFew:", "Few:", "FallbackForesight:", "Lasting:")

// settings are all that the preset says of stage 1, as a text to compare.
func (p Preset) settings() string {
	p.Classifier = ClassifierSettings{}
	return firstNames.Replace(fmt.Sprintf("%#v", p))
}

// writeGob writes the value and, after it, the SHA-256 of its encoding.
func writeGob(path string, v any) error {
	f, err := renameio.NewPendingFile(path)
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	defer f.Cleanup()
	sum := sha256.New()
	err = gob.NewEncoder(io.MultiWriter(f, sum)).Encode(v)
	if err == nil {
		_, err = f.Write(sum.Sum(nil))
	}
	if err == nil {
		err = f.CloseAtomicallyReplace()
	}
	if err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	return nil
}

// maxCheckpoint bounds what is read of a checkpoint file.
const maxCheckpoint = 8 << 30

// readGob decodes only what writeGob wrote: gob reads some damage as other numbers.
func readGob(path string, v any) error {
	data, err := files.Read(path, maxCheckpoint)
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	if err := decodeGob(data, v); err != nil {
		return fmt.Errorf("%w: read %s: %w; delete it to start again", ErrCheckpoint, path, err)
	}
	return nil
}

func decodeGob(data []byte, v any) error {
	encoded, err := summed(data)
	if err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(encoded)).Decode(v)
}

// summed is what comes before the checksum, if that is right.
func summed(data []byte) ([]byte, error) {
	end := len(data) - sha256.Size
	if end < 0 {
		return nil, fmt.Errorf("%d bytes are too few", len(data))
	}
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, errors.New("its checksum is wrong: it is damaged, or an earlier version wrote it")
	}
	return data[:end], nil
}

// replaceable returns nil if path has nothing or a checkpoint.
func replaceable(path string) error {
	data, err := files.Read(path, maxCheckpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = summed(data)
	}
	if err != nil {
		return fmt.Errorf("%w: will not replace %s: %w; move or delete it", ErrCheckpoint, path,
			err)
	}
	return nil
}
