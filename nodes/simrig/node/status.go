package node

import (
	"context"
	"math"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// A statusLine sends statuses in order, each as late as status_delay said when it
// was made. The stamps stay true.
type statusLine struct{ queue chan delayed }

type delayed struct {
	due    time.Time
	status *msgs.SkillStatus
}

// statuses may wait to be sent; a delay of a minute has 600.
const statuses = 4096

func (r *Node) openStatus() error {
	pub, err := ros.Advertise[*msgs.SkillStatus](r.node, "skill_status", ros.QoS{Depth: 100})
	if err != nil {
		return err
	}
	r.status = &statusLine{queue: make(chan delayed, statuses)}
	go func() {
		for ctx := r.node.Context(); ; {
			select {
			case <-ctx.Done():
				return
			case d := <-r.status.queue:
				if r.node.Clock().SleepUntil(ctx, d.due) != nil {
					return
				}
				r.report("skill status", pub.Publish(d.status))
			}
		}
	}()
	r.node.Every(context.Background(), time.Second, func(now time.Time) {
		if !r.cell.Busy() {
			r.say(&msgs.SkillStatus{Header: msgs.Header{Stamp: msgs.TimeFrom(now)},
				Phase: msgs.SkillStatusIdle, Progress: float32(math.NaN())})
		}
	})
	return nil
}

// say queues a status.
func (r *Node) say(s *msgs.SkillStatus) {
	select {
	case r.status.queue <- delayed{r.node.Clock().Now().Add(seconds(r.settings.delay)), s}:
	case <-r.node.Context().Done():
	}
}
