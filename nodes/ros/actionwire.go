package ros

import (
	"crypto/rand"
	"fmt"
	"strings"

	"stripswm/msgs"
)

// GoalID identifies one goal of an action.
type GoalID [16]byte

func newGoalID() (id GoalID) {
	rand.Read(id[:])
	return id
}

// String is the id in the usual form of a UUID.
func (id GoalID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func (id GoalID) put(e *msgs.Encoder) {
	for _, b := range id {
		e.PutUint8(b)
	}
}

func getGoalID(d *msgs.Decoder) (id GoalID) {
	for i := range id {
		id[i] = d.GetUint8()
	}
	return id
}

// An action is three services and two topics, whose types rosidl derives from the goal, the result
// and the feedback. On the wire they are those messages with a few fields before them, so the types
// here serve every action.

// actionType is the action's type ("strips_wm_msgs/action/PlanToImage") from that of its goal.
func actionType[G msgs.Message]() (string, error) {
	typ, ok := strings.CutSuffix(rosType[G](), "_Goal")
	if !ok {
		return "", fmt.Errorf("%s is not the type of a goal", rosType[G]())
	}
	return typ, nil
}

// baseType is the action's type from that of one of its parts.
func baseType[M msgs.Message]() string {
	typ := rosType[M]()
	return typ[:strings.LastIndexByte(typ, '_')]
}

// sendGoal is <Action>_SendGoal_Request.
type sendGoal[G msgs.Message] struct {
	id   GoalID
	goal G
}

func (*sendGoal[G]) ROSType() string { return baseType[G]() + "_SendGoal_Request" }

func (m *sendGoal[G]) MarshalCDR(e *msgs.Encoder) {
	m.id.put(e)
	m.goal.MarshalCDR(e)
}

func (m *sendGoal[G]) UnmarshalCDR(d *msgs.Decoder) {
	m.id, m.goal = getGoalID(d), newMessage[G]()
	m.goal.UnmarshalCDR(d)
}

// goalResponse is <Action>_SendGoal_Response.
type goalResponse[G msgs.Message] struct {
	accepted bool
	stamp    msgs.Time
}

func (*goalResponse[G]) ROSType() string { return baseType[G]() + "_SendGoal_Response" }

func (m *goalResponse[G]) MarshalCDR(e *msgs.Encoder) {
	e.PutBool(m.accepted)
	m.stamp.MarshalCDR(e)
}

func (m *goalResponse[G]) UnmarshalCDR(d *msgs.Decoder) {
	m.accepted = d.GetBool()
	m.stamp.UnmarshalCDR(d)
}

// getResult is <Action>_GetResult_Request.
type getResult[R msgs.Message] struct{ id GoalID }

func (*getResult[R]) ROSType() string                { return baseType[R]() + "_GetResult_Request" }
func (m *getResult[R]) MarshalCDR(e *msgs.Encoder)   { m.id.put(e) }
func (m *getResult[R]) UnmarshalCDR(d *msgs.Decoder) { m.id = getGoalID(d) }

// resultResponse is <Action>_GetResult_Response.
type resultResponse[R msgs.Message] struct {
	status GoalStatus
	result R
}

func (*resultResponse[R]) ROSType() string { return baseType[R]() + "_GetResult_Response" }

func (m *resultResponse[R]) MarshalCDR(e *msgs.Encoder) {
	e.PutInt8(int8(m.status))
	m.result.MarshalCDR(e)
}

func (m *resultResponse[R]) UnmarshalCDR(d *msgs.Decoder) {
	m.status, m.result = GoalStatus(d.GetInt8()), newMessage[R]()
	m.result.UnmarshalCDR(d)
}

// feedback is <Action>_FeedbackMessage.
type feedback[F msgs.Message] struct {
	id       GoalID
	feedback F
}

func (*feedback[F]) ROSType() string { return baseType[F]() + "_FeedbackMessage" }

func (m *feedback[F]) MarshalCDR(e *msgs.Encoder) {
	m.id.put(e)
	m.feedback.MarshalCDR(e)
}

func (m *feedback[F]) UnmarshalCDR(d *msgs.Decoder) {
	m.id, m.feedback = getGoalID(d), newMessage[F]()
	m.feedback.UnmarshalCDR(d)
}

// GoalStatus is how far a goal has come.
type GoalStatus int8

// The statuses of action_msgs/msg/GoalStatus.
const (
	GoalUnknown   = GoalStatus(msgs.GoalStatusUnknown)
	GoalAccepted  = GoalStatus(msgs.GoalStatusAccepted)
	GoalExecuting = GoalStatus(msgs.GoalStatusExecuting)
	GoalCanceling = GoalStatus(msgs.GoalStatusCanceling)
	GoalSucceeded = GoalStatus(msgs.GoalStatusSucceeded)
	GoalCanceled  = GoalStatus(msgs.GoalStatusCanceled)
	GoalAborted   = GoalStatus(msgs.GoalStatusAborted)
)

// String is ROS's word in lower case.
func (s GoalStatus) String() string {
	words := [...]string{"unknown", "accepted", "executing", "canceling", "succeeded", "canceled",
		"aborted"}
	if s < 0 || int(s) >= len(words) {
		return fmt.Sprintf("status %d", int8(s))
	}
	return words[s]
}

// Ended reports whether the goal has come to an end.
func (s GoalStatus) Ended() bool { return s >= GoalSucceeded }
