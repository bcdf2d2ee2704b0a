package msgs

import (
	"fmt"
	"slices"
)

// stripsWM are the messages of package strips_wm_msgs.
var stripsWM = slices.Concat([]Message{
	&ActionSequence{}, &PredicateState{}, &SkillStatus{}, &Transition{}, &MarkFailedRequest{},
	&MarkFailedResponse{}, &StartRecordingRequest{}, &StartRecordingResponse{},
	&StopRecordingRequest{}, &StopRecordingResponse{}, &ExecuteSkillGoal{}, &ExecuteSkillResult{},
	&ExecuteSkillFeedback{}, &PlanToImageGoal{}, &PlanToImageResult{}, &PlanToImageFeedback{},
},
	actionTypes[*ExecuteSkillGoal, *ExecuteSkillResult, *ExecuteSkillFeedback](),
	actionTypes[*PlanToImageGoal, *PlanToImageResult, *PlanToImageFeedback]())

// Constants of strips_wm_msgs/msg/SkillStatus.
const (
	SkillStatusIdle      uint8 = 0
	SkillStatusStarted   uint8 = 1
	SkillStatusRunning   uint8 = 2
	SkillStatusSucceeded uint8 = 3
	SkillStatusRefused   uint8 = 4
	SkillStatusFailed    uint8 = 5
	SkillStatusCanceled  uint8 = 6
)

// Constants of strips_wm_msgs/msg/Transition.
const (
	TransitionSucceeded uint8 = 1
	TransitionRefused   uint8 = 2
	TransitionFailed    uint8 = 3
)

// Constants of strips_wm_msgs/action/ExecuteSkill_Result.
const (
	ExecuteSkillResultSucceeded uint8 = 1
	ExecuteSkillResultRefused   uint8 = 2
	ExecuteSkillResultFailed    uint8 = 3
)

// Constants of strips_wm_msgs/action/PlanToImage_Goal.
const (
	PlanToImageGoalImage      uint8 = 0
	PlanToImageGoalCompressed uint8 = 1
	PlanToImageGoalTopic      uint8 = 2
	PlanToImageGoalFacts      uint8 = 3
)

// Constants of strips_wm_msgs/action/PlanToImage_Result.
const (
	PlanToImageResultNone          uint16 = 0
	PlanToImageResultUnsolvable    uint16 = 1
	PlanToImageResultLimitReached  uint16 = 2
	PlanToImageResultStartUnknown  uint16 = 3
	PlanToImageResultGoalUnknown   uint16 = 4
	PlanToImageResultBadImage      uint16 = 5
	PlanToImageResultNoImage       uint16 = 6
	PlanToImageResultSkillFailed   uint16 = 7
	PlanToImageResultCanceled      uint16 = 8
	PlanToImageResultNotActive     uint16 = 9
	PlanToImageResultInternalError uint16 = 10
	PlanToImageResultBusy          uint16 = 11
)

// The messages, services and actions of strips_wm_msgs.
type (
	ActionSequence struct {
		Header   Header
		Bundle   string
		Actions  []uint32
		Expected []PredicateState
	}
	PredicateState struct {
		Header     Header
		Bundle     string
		Values     []bool
		Confidence []float32
		Uncertain  []uint32
		KnownState int32
	}
	SkillStatus struct {
		Header      Header
		ExecutionID UUID
		Action      uint32
		Phase       uint8
		Progress    float32
		Message     string
	}
	Transition struct {
		Header     Header
		ImageTopic string
		Before     Time
		Action     uint32
		After      Time
		Outcome    uint8
		Note       string
	}
	MarkFailedRequest struct {
		Note string
	}
	MarkFailedResponse struct {
		Success    bool
		Message    string
		Transition uint32
	}
	StartRecordingRequest struct {
		Directory string
	}
	StartRecordingResponse struct {
		Success   bool
		Message   string
		Directory string
	}
	StopRecordingRequest  struct{}
	StopRecordingResponse struct {
		Success     bool
		Message     string
		Directory   string
		Transitions uint32
		Refused     uint32
		Failed      uint32
		Dropped     uint32
		Duration    float64
	}
	ExecuteSkillGoal struct {
		Action uint32
	}
	ExecuteSkillResult struct {
		Outcome uint8
		Started Time
		Ended   Time
		Message string
	}
	ExecuteSkillFeedback struct {
		Progress float32
	}
	PlanToImageGoal struct {
		Source         uint8
		GoalImage      Image
		GoalCompressed CompressedImage
		GoalRegion     []float64
		GoalFacts      string
		Execute        bool
		TimeLimit      float32
	}
	PlanToImageResult struct {
		Plan      ActionSequence
		Executed  uint32
		ErrorCode uint16
		ErrorMsg  string
	}
	PlanToImageFeedback struct {
		Step      uint32
		Steps     uint32
		Observed  PredicateState
		Expected  PredicateState
		Differing []uint32
	}
)

func (*ActionSequence) ROSType() string { return "strips_wm_msgs/msg/ActionSequence" }
func (*PredicateState) ROSType() string { return "strips_wm_msgs/msg/PredicateState" }
func (*SkillStatus) ROSType() string    { return "strips_wm_msgs/msg/SkillStatus" }
func (*Transition) ROSType() string     { return "strips_wm_msgs/msg/Transition" }

func (*MarkFailedRequest) ROSType() string  { return "strips_wm_msgs/srv/MarkFailed_Request" }
func (*MarkFailedResponse) ROSType() string { return "strips_wm_msgs/srv/MarkFailed_Response" }
func (*StartRecordingRequest) ROSType() string {
	return "strips_wm_msgs/srv/StartRecording_Request"
}
func (*StartRecordingResponse) ROSType() string {
	return "strips_wm_msgs/srv/StartRecording_Response"
}
func (*StopRecordingRequest) ROSType() string { return "strips_wm_msgs/srv/StopRecording_Request" }
func (*StopRecordingResponse) ROSType() string {
	return "strips_wm_msgs/srv/StopRecording_Response"
}

func (*ExecuteSkillGoal) ROSType() string   { return "strips_wm_msgs/action/ExecuteSkill_Goal" }
func (*ExecuteSkillResult) ROSType() string { return "strips_wm_msgs/action/ExecuteSkill_Result" }
func (*ExecuteSkillFeedback) ROSType() string {
	return "strips_wm_msgs/action/ExecuteSkill_Feedback"
}
func (*PlanToImageGoal) ROSType() string     { return "strips_wm_msgs/action/PlanToImage_Goal" }
func (*PlanToImageResult) ROSType() string   { return "strips_wm_msgs/action/PlanToImage_Result" }
func (*PlanToImageFeedback) ROSType() string { return "strips_wm_msgs/action/PlanToImage_Feedback" }

// Outcome says how an attempt of a skill ended, by the values that Transition and
// ExecuteSkill share.
type Outcome uint8

// The outcomes.
const (
	Succeeded = Outcome(TransitionSucceeded)
	Refused   = Outcome(TransitionRefused) // not applicable: the world was left as it was
	Failed    = Outcome(TransitionFailed)  // the result is unknown
)

// String returns "succeeded", "refused" or "failed".
func (o Outcome) String() string {
	switch o {
	case Succeeded:
		return "succeeded"
	case Refused:
		return "refused"
	case Failed:
		return "failed"
	}
	return fmt.Sprintf("outcome %d", uint8(o))
}

// A Tally counts attempts by outcome.
type Tally struct {
	Succeeded int `json:"succeeded"`
	Refused   int `json:"refused"`
	Failed    int `json:"failed"`
}

// At is the count of an outcome.
func (t *Tally) At(outcome uint8) *int {
	switch Outcome(outcome) {
	case Succeeded:
		return &t.Succeeded
	case Refused:
		return &t.Refused
	}
	return &t.Failed
}

// Total counts all attempts.
func (t Tally) Total() int { return t.Succeeded + t.Refused + t.Failed }

// String says how many attempts ended in which way.
func (t Tally) String() string {
	return fmt.Sprintf("%d %s, %d %s, %d %s", t.Succeeded, Succeeded, t.Refused, Refused, t.Failed,
		Failed)
}

// Amends reports whether m is the transition again, with another outcome or note.
func (m *Transition) Amends(t *Transition) bool {
	return m.Action == t.Action && m.ImageTopic == t.ImageTopic && m.Before == t.Before &&
		m.After == t.After
}
