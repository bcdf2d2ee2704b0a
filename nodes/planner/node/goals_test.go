package node

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
)

func TestErrorCodes(t *testing.T) {
	unrecognized := &execute.Stop{Reason: execute.Unrecognized}
	_, torn := pixels.RGB{Width: 1, Height: 1, Pix: make([]byte, 2)}.Square(64, pixels.Letterbox)
	for want, errs := range map[uint16][]error{
		msgs.PlanToImageResultNone:          {nil},
		msgs.PlanToImageResultUnsolvable:    {&execute.Stop{Reason: execute.Unsolvable}},
		msgs.PlanToImageResultLimitReached:  {&execute.Stop{Reason: execute.LimitReached}},
		msgs.PlanToImageResultStartUnknown:  {unrecognized},
		msgs.PlanToImageResultGoalUnknown:   {fmt.Errorf("%w: %w", errGoal, unrecognized)},
		msgs.PlanToImageResultBadImage:      {torn, fmt.Errorf("%w: %w", errGoal, torn)},
		msgs.PlanToImageResultNoImage:       {errNoGoal},
		msgs.PlanToImageResultCanceled:      {context.Canceled, ros.ErrCanceled},
		msgs.PlanToImageResultNotActive:     {errDeactivated},
		msgs.PlanToImageResultBusy:          {fmt.Errorf("%w: 100 goals wait", ros.ErrBusy)},
		msgs.PlanToImageResultInternalError: {errors.New("the network gave no output")},
	} {
		for _, err := range errs {
			if got := errorCode(err); got != want {
				t.Errorf("%v: code %d, want %d", err, got, want)
			}
		}
	}
}
