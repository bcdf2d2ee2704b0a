package explorebench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"stripswm/bags"
	"stripswm/internal/files"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/nodes/cvbridge"
	robots "stripswm/nodes/exploration"
	"stripswm/nodes/sim/record"
)

// reopen goes on with an exploration that was interrupted.
func (r *robot) reopen(ctx context.Context) error {
	text, err := files.Read(r.curveFile(), 64<<20)
	if err == nil {
		err = json.Unmarshal(text, &r.curve)
	}
	if err != nil && !os.IsNotExist(err) { // not, before the first training round
		return fmt.Errorf("go on with %s: %w", r.curveFile(), err)
	}
	r.rig, err = record.ContinueRig(ctx, r.world, filepath.Join(r.Out, "bag"), r.Record)
	return err
}

// remember tells a session of all that is recorded, and has it see with the bundle that is there.
func (r *robot) remember(ctx context.Context, s *robots.Session) error {
	past, err := bags.OpenLive(filepath.Join(r.Out, "bag"))
	if err != nil {
		return err
	}
	defer past.Close()
	// of a rig's own recording none is
	aside := func(err error) { r.tell("left aside: " + err.Error()) }
	if err := s.Remember(ctx, past, decode, aside); err != nil {
		return err
	}
	n := len(r.curve.Points)
	if n == 0 {
		return nil
	}
	kept := r.bundle(r.curve.Points[n-1])
	if _, err := os.Stat(kept); err != nil { // nothing was accepted
		return nil
	}
	recognizer, err := robots.OpenRecognizer(kept, inference.Options{Threads: 1})
	if err != nil {
		return err
	}
	_, err = s.Accept(ctx, recognizer)
	return err
}

func decode(i bags.Image) (pixels.RGB, error) {
	m, err := i.Message()
	if err != nil {
		return pixels.RGB{}, err
	}
	return cvbridge.Part(m, pixels.Camera{})
}

func (r *robot) curveFile() string { return filepath.Join(r.Out, "explored.json") }

// keepCurve writes what has come of the exploration so far.
func (r *robot) keepCurve() error {
	text, err := json.MarshalIndent(r.curve, "", " ")
	if err != nil {
		return err
	}
	return files.Write(r.curveFile(), append(text, '\n'))
}
