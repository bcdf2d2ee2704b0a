package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"stripswm/models/pixels"
	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

const (
	plannerPatience = 10 * time.Second        // for the planner to be found, and to answer
	cancelPatience  = 1500 * time.Millisecond // for it to stop after ^C
)

// executeOutput is the result of plan --execute for scripts.
type executeOutput struct {
	Outcome   string   `json:"outcome"`
	Plan      []uint32 `json:"plan"`      // the last plan
	Executed  uint32   `json:"executed"`  // skills with the predicted effect
	Differing int64    `json:"differing"` // skills after which the table was not as predicted
	Code      uint16   `json:"error_code"`
	Message   string   `json:"error_msg"`
}

type (
	planClient = ros.ActionClient[*msgs.PlanToImageGoal, *msgs.PlanToImageFeedback,
		*msgs.PlanToImageResult]
	planGoal = ros.ClientGoal[*msgs.PlanToImageResult]
)

// executeToImage has the planner node plan to a region of an image, and execute the plan.
func executeToImage(cmd *cobra.Command, c *common, goal string, region pixels.Region,
	timeLimit time.Duration,
) error {
	img, err := readImage(goal)
	if err != nil {
		return err
	}
	if err := (pixels.Compressed{Data: img}).Check(); err != nil {
		return fmt.Errorf("%s: %w", goal, err)
	}
	// the file as it is: the planner knows the camera
	return executePlan(cmd, c, &msgs.PlanToImageGoal{Source: msgs.PlanToImageGoalCompressed,
		GoalCompressed: msgs.CompressedImage{Data: img}, GoalRegion: region.Slice()}, timeLimit)
}

// executePlan has the planner node plan to a goal and execute the plan.
func executePlan(cmd *cobra.Command, c *common, goal *msgs.PlanToImageGoal,
	timeLimit time.Duration,
) error {
	n, leave, err := join(cmd)
	if err != nil {
		return err
	}
	defer leave()
	client, err := ros.NewActionClient[*msgs.PlanToImageGoal, *msgs.PlanToImageFeedback,
		*msgs.PlanToImageResult](n, "plan_to_image")
	if err != nil {
		return err
	}
	goal.Execute, goal.TimeLimit = true, float32(timeLimit.Seconds())
	return pursue(cmd, c, client, goal)
}

// pursue sends the goal and waits for its end; ^C cancels it.
func pursue(cmd *cobra.Command, c *common, client *planClient, g *msgs.PlanToImageGoal) error {
	ctx := cmd.Context()
	finding, done := context.WithTimeout(ctx, plannerPatience)
	defer done()
	if err := client.WaitForServer(finding); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errors.New(
			"no planner was found: start it with `stripswm up sim --bundle DIR`, or set ROS_DOMAIN_ID and " +
				"ROS_AUTOMATIC_DISCOVERY_RANGE as for the robot's nodes")
	}
	var differing atomic.Int64
	asking, done := context.WithTimeout(ctx, plannerPatience)
	defer done()
	goal, err := client.Send(asking, g, func(f *msgs.PlanToImageFeedback) {
		if len(f.Differing) > 0 {
			differing.Add(1)
		}
		if !c.quiet && !c.json {
			printStep(cmd.ErrOrStderr(), f)
		}
	})
	if err != nil {
		return err
	}
	result, status, err := await(ctx, goal)
	if err != nil {
		return err
	}
	out := executeOutput{
		Outcome: status.String(), Plan: result.Plan.Actions, Executed: result.Executed,
		Differing: differing.Load(),
		Code:      result.ErrorCode, Message: result.ErrorMsg,
	}
	if out.Plan == nil {
		out.Plan = []uint32{}
	}
	return printExecution(cmd, c, out)
}

// await waits for the goal's end, and after ctx for its cancel.
func await(ctx context.Context, goal *planGoal) (*msgs.PlanToImageResult, ros.GoalStatus, error) {
	result, status, err := goal.Result(ctx)
	if ctx.Err() == nil {
		return result, status, err
	}
	stopping, done := context.WithTimeout(context.WithoutCancel(ctx), cancelPatience)
	defer done()
	if err := goal.Cancel(stopping); err != nil {
		return nil, 0, errors.Join(ctx.Err(), fmt.Errorf("the robot may still move: %w", err))
	}
	if _, _, err := goal.Result(stopping); err != nil {
		return nil, 0, errors.Join(ctx.Err(), fmt.Errorf("the robot may still move: %w", err))
	}
	return nil, 0, ctx.Err()
}

func printStep(w io.Writer, f *msgs.PlanToImageFeedback) {
	if len(f.Differing) == 0 {
		fmt.Fprintf(w, "%d skill(s) done as predicted, the plan has %d\n", f.Step, f.Steps)
		return
	}
	fmt.Fprintf(w, "not as predicted: predicates %v differ\n", f.Differing)
}

// executionExits are the exit codes of PlanToImage's error codes.
var executionExits = map[uint16]int{
	msgs.PlanToImageResultUnsolvable:   exitUnsolvable,
	msgs.PlanToImageResultLimitReached: exitLimit,
	msgs.PlanToImageResultStartUnknown: exitUnrecognized,
	msgs.PlanToImageResultGoalUnknown:  exitUnrecognized,
	msgs.PlanToImageResultBadImage:     exitInput,
	msgs.PlanToImageResultCanceled:     exitInterrupted,
}

func printExecution(cmd *cobra.Command, c *common, out executeOutput) error {
	reached := out.Code == msgs.PlanToImageResultNone
	err := c.print(cmd, out, func(w io.Writer) {
		if reached {
			fmt.Fprintf(w, "goal reached: %d skill(s) as predicted, %d not\n", out.Executed, out.Differing)
		}
	})
	if err != nil || reached {
		return err
	}
	code, ok := executionExits[out.Code]
	if !ok {
		code = exitFailure
	}
	return outcome{code, out.Message}
}

// join makes the verb a ROS 2 node, on this machine alone unless the environment says otherwise.
func join(cmd *cobra.Command) (n *ros.Node, leave func() error, err error) {
	if err := stayLocal(); err != nil {
		return nil, nil, err
	}
	transport, err := middleware.Open("", func(text string) {
		fmt.Fprintln(cmd.ErrOrStderr(), "stripswm:", text)
	})
	if err != nil {
		return nil, nil, err
	}
	n, err = ros.NewNode(transport, fmt.Sprintf("stripswm_%08x", rand.Uint32()), ros.Args{},
		ros.Options{Log: io.Discard})
	if err != nil {
		return nil, nil, errors.Join(err, transport.Close())
	}
	return n, func() error { return errors.Join(n.Close(), transport.Close()) }, nil
}
