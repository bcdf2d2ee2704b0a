package msgs

import (
	"fmt"
	"strings"
)

// standard are messages of packages that come with ROS 2.
var standard = []Message{
	&Time{}, &Header{}, &String{}, &UUID{}, &CameraInfo{}, &CompressedImage{},
	&Image{}, &RegionOfInterest{}, &Point{}, &Pose{}, &Quaternion{}, &Entity{},
	&SetEntityPoseRequest{}, &SetEntityPoseResponse{}, &DiagnosticArray{}, &DiagnosticStatus{},
	&KeyValue{}, &Clock{}, &SetBoolRequest{},
	&SetBoolResponse{}, &TriggerRequest{}, &TriggerResponse{}, &GoalInfo{}, &GoalStatus{},
	&GoalStatusArray{}, &CancelGoalRequest{}, &CancelGoalResponse{},
}

// Time is since the epoch of the clock that made it.
type Time struct {
	Sec     int32
	Nanosec uint32
}

func (*Time) ROSType() string { return "builtin_interfaces/msg/Time" }

// Messages of std_msgs.
type (
	Header struct {
		Stamp   Time
		FrameID string
	}
	String struct {
		Data string
	}
)

func (*Header) ROSType() string { return "std_msgs/msg/Header" }
func (*String) ROSType() string { return "std_msgs/msg/String" }

// UUID identifies a goal, or an execution of a skill.
type UUID struct {
	UUID [16]uint8
}

func (*UUID) ROSType() string { return "unique_identifier_msgs/msg/UUID" }

// String is the usual form of a UUID.
func (u UUID) String() string {
	id := u.UUID
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// What cameras send.
type (
	CameraInfo struct {
		Header          Header
		Height          uint32
		Width           uint32
		DistortionModel string
		D               []float64
		K               [9]float64
		R               [9]float64
		P               [12]float64
		BinningX        uint32
		BinningY        uint32
		Roi             RegionOfInterest
	}
	CompressedImage struct {
		Header Header
		Format string
		Data   []uint8
	}
	Image struct {
		Header      Header
		Height      uint32
		Width       uint32
		Encoding    string
		IsBigendian uint8
		Step        uint32
		Data        []uint8
	}
	RegionOfInterest struct {
		XOffset   uint32
		YOffset   uint32
		Height    uint32
		Width     uint32
		DoRectify bool
	}
)

func (*CameraInfo) ROSType() string       { return "sensor_msgs/msg/CameraInfo" }
func (*CompressedImage) ROSType() string  { return "sensor_msgs/msg/CompressedImage" }
func (*Image) ROSType() string            { return "sensor_msgs/msg/Image" }
func (*RegionOfInterest) ROSType() string { return "sensor_msgs/msg/RegionOfInterest" }

// Where a body is.
type (
	Point struct {
		X float64
		Y float64
		Z float64
	}
	Pose struct {
		Position    Point
		Orientation Quaternion
	}
	Quaternion struct {
		X float64
		Y float64
		Z float64
		W float64
	}
)

func (*Point) ROSType() string      { return "geometry_msgs/msg/Point" }
func (*Pose) ROSType() string       { return "geometry_msgs/msg/Pose" }
func (*Quaternion) ROSType() string { return "geometry_msgs/msg/Quaternion" }

// EntityModel is a constant of ros_gz_interfaces/msg/Entity.
const EntityModel uint8 = 2

// How a body is put somewhere in Gazebo, through ros_gz.
type (
	Entity struct {
		ID   uint64
		Name string
		Type uint8
	}
	SetEntityPoseRequest struct {
		Entity Entity
		Pose   Pose
	}
	SetEntityPoseResponse struct {
		Success bool
	}
)

func (*Entity) ROSType() string { return "ros_gz_interfaces/msg/Entity" }

func (*SetEntityPoseRequest) ROSType() string {
	return "ros_gz_interfaces/srv/SetEntityPose_Request"
}
func (*SetEntityPoseResponse) ROSType() string {
	return "ros_gz_interfaces/srv/SetEntityPose_Response"
}

// Constants of diagnostic_msgs/msg/DiagnosticStatus.
const (
	DiagnosticStatusOk    uint8 = 0
	DiagnosticStatusWarn  uint8 = 1
	DiagnosticStatusError uint8 = 2
)

// What /diagnostics tells.
type (
	DiagnosticArray struct {
		Header Header
		Status []DiagnosticStatus
	}
	DiagnosticStatus struct {
		Level      uint8
		Name       string
		Message    string
		HardwareID string
		Values     []KeyValue
	}
	KeyValue struct {
		Key   string
		Value string
	}
)

func (*DiagnosticArray) ROSType() string  { return "diagnostic_msgs/msg/DiagnosticArray" }
func (*DiagnosticStatus) ROSType() string { return "diagnostic_msgs/msg/DiagnosticStatus" }
func (*KeyValue) ROSType() string         { return "diagnostic_msgs/msg/KeyValue" }

// Add appends a value to the status, formatted as by fmt.Sprintf.
func (m *DiagnosticStatus) Add(key, format string, args ...any) {
	m.Values = append(m.Values, KeyValue{Key: key, Value: fmt.Sprintf(format, args...)})
}

// Clock is the time of a simulator.
type Clock struct {
	Clock Time
}

func (*Clock) ROSType() string { return "rosgraph_msgs/msg/Clock" }

// The services of std_srvs.
type (
	SetBoolRequest struct {
		Data bool
	}
	SetBoolResponse struct {
		Success bool
		Message string
	}
	TriggerRequest  struct{}
	TriggerResponse struct {
		Success bool
		Message string
	}
)

func (*SetBoolRequest) ROSType() string  { return "std_srvs/srv/SetBool_Request" }
func (*SetBoolResponse) ROSType() string { return "std_srvs/srv/SetBool_Response" }
func (*TriggerRequest) ROSType() string  { return "std_srvs/srv/Trigger_Request" }
func (*TriggerResponse) ROSType() string { return "std_srvs/srv/Trigger_Response" }

// Constants of action_msgs/msg/GoalStatus.
const (
	GoalStatusUnknown   int8 = 0
	GoalStatusAccepted  int8 = 1
	GoalStatusExecuting int8 = 2
	GoalStatusCanceling int8 = 3
	GoalStatusSucceeded int8 = 4
	GoalStatusCanceled  int8 = 5
	GoalStatusAborted   int8 = 6
)

// Constants of action_msgs/srv/CancelGoal_Response.
const (
	CancelGoalResponseErrorRejected       int8 = 1
	CancelGoalResponseErrorUnknownGoalID  int8 = 2
	CancelGoalResponseErrorGoalTerminated int8 = 3
)

// What all actions share.
type (
	GoalInfo struct {
		GoalID UUID
		Stamp  Time
	}
	GoalStatus struct {
		GoalInfo GoalInfo
		Status   int8
	}
	GoalStatusArray struct {
		StatusList []GoalStatus
	}
	CancelGoalRequest struct {
		GoalInfo GoalInfo
	}
	CancelGoalResponse struct {
		ReturnCode     int8
		GoalsCanceling []GoalInfo
	}
)

func (*GoalInfo) ROSType() string        { return "action_msgs/msg/GoalInfo" }
func (*GoalStatus) ROSType() string      { return "action_msgs/msg/GoalStatus" }
func (*GoalStatusArray) ROSType() string { return "action_msgs/msg/GoalStatusArray" }

func (*CancelGoalRequest) ROSType() string  { return "action_msgs/srv/CancelGoal_Request" }
func (*CancelGoalResponse) ROSType() string { return "action_msgs/srv/CancelGoal_Response" }

// An action is three services and two topics, whose types rosidl derives from the goal G, the
// result R and the feedback F. They are those messages after a few other fields, so that the types
// here serve every action: SendGoalRequest[*PlanToImageGoal] is
// strips_wm_msgs/action/PlanToImage_SendGoal_Request.
type (
	SendGoalRequest[G Message] struct {
		GoalID UUID
		Goal   G
	}
	SendGoalResponse[G Message] struct {
		Accepted bool
		Stamp    Time
	}
	GetResultRequest[R Message] struct {
		GoalID UUID
	}
	GetResultResponse[R Message] struct {
		Status int8
		Result R
	}
	FeedbackMessage[F Message] struct {
		GoalID   UUID
		Feedback F
	}
)

func (*SendGoalRequest[G]) ROSType() string   { return actionType[G]() + "_SendGoal_Request" }
func (*SendGoalResponse[G]) ROSType() string  { return actionType[G]() + "_SendGoal_Response" }
func (*GetResultRequest[R]) ROSType() string  { return actionType[R]() + "_GetResult_Request" }
func (*GetResultResponse[R]) ROSType() string { return actionType[R]() + "_GetResult_Response" }
func (*FeedbackMessage[F]) ROSType() string   { return actionType[F]() + "_FeedbackMessage" }

// actionType is "strips_wm_msgs/action/PlanToImage" from the type of one of its parts.
func actionType[M Message]() string {
	var part M
	name := part.ROSType()
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		return name[:i]
	}
	return name
}

// actionTypes makes the five messages of an action.
func actionTypes[G, R, F Message]() []Message {
	return []Message{&SendGoalRequest[G]{}, &SendGoalResponse[G]{}, &GetResultRequest[R]{},
		&GetResultResponse[R]{}, &FeedbackMessage[F]{}}
}
