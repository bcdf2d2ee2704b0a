package workcell_test

import (
	"testing"
	"time"

	"stripswm/nodes/sim/workcell"
)

func TestTicks(t *testing.T) {
	const ms = time.Millisecond
	begin := time.Unix(1000, 0)
	for name, tt := range map[string]struct {
		at   []time.Duration // of the ticks, due every 10 ms
		want workcell.TickCount
	}{
		"in time": {[]time.Duration{10 * ms, 20 * ms, 30 * ms}, workcell.TickCount{Taken: 3}},
		"late":    {[]time.Duration{19 * ms, 21 * ms, 39 * ms}, workcell.TickCount{Taken: 3}},
		"one skipped": {[]time.Duration{10 * ms, 30 * ms, 40 * ms}, workcell.TickCount{Taken: 3,
			Skipped: 1}},
		"late, skipping": {[]time.Duration{25 * ms, 30 * ms, 41 * ms}, workcell.TickCount{Taken: 3,
			Skipped: 1}},
		"away": {[]time.Duration{10 * ms, 1010 * ms}, workcell.TickCount{Taken: 2,
			Skipped: 99}},
		"set back": {[]time.Duration{10 * ms, 30 * ms, 5 * ms, 15 * ms, 35 * ms},
			workcell.TickCount{Taken: 5, Skipped: 2}},
	} {
		ticks := workcell.Ticks{Period: 10 * ms}
		ticks.Start(begin)
		for _, at := range tt.at {
			ticks.Tick(begin.Add(at))
		}
		if got := ticks.Count(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
