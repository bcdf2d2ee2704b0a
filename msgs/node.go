package msgs

// node are the messages by which every node is configured.
var node = []Message{
	&LifecycleState{}, &LifecycleTransition{}, &TransitionDescription{}, &TransitionEvent{},
	&ChangeStateRequest{}, &ChangeStateResponse{}, &GetAvailableStatesRequest{},
	&GetAvailableStatesResponse{}, &GetAvailableTransitionsRequest{},
	&GetAvailableTransitionsResponse{}, &GetStateRequest{}, &GetStateResponse{},
	&FloatingPointRange{}, &IntegerRange{}, &ListParametersResult{}, &Log{}, &Parameter{},
	&ParameterDescriptor{}, &ParameterEvent{}, &ParameterType{}, &ParameterValue{},
	&SetParametersResult{}, &DescribeParametersRequest{}, &DescribeParametersResponse{},
	&GetParameterTypesRequest{}, &GetParameterTypesResponse{}, &GetParametersRequest{},
	&GetParametersResponse{}, &ListParametersRequest{}, &ListParametersResponse{},
	&SetParametersRequest{}, &SetParametersResponse{}, &SetParametersAtomicallyRequest{},
	&SetParametersAtomicallyResponse{},
}

// Constants of lifecycle_msgs/msg/State.
const (
	LifecycleStatePrimaryStateUnknown            uint8 = 0
	LifecycleStatePrimaryStateUnconfigured       uint8 = 1
	LifecycleStatePrimaryStateInactive           uint8 = 2
	LifecycleStatePrimaryStateActive             uint8 = 3
	LifecycleStatePrimaryStateFinalized          uint8 = 4
	LifecycleStateTransitionStateConfiguring     uint8 = 10
	LifecycleStateTransitionStateCleaningup      uint8 = 11
	LifecycleStateTransitionStateShuttingdown    uint8 = 12
	LifecycleStateTransitionStateActivating      uint8 = 13
	LifecycleStateTransitionStateDeactivating    uint8 = 14
	LifecycleStateTransitionStateErrorprocessing uint8 = 15
)

// Constants of lifecycle_msgs/msg/Transition.
const (
	LifecycleTransitionConfigure            uint8 = 1
	LifecycleTransitionCleanup              uint8 = 2
	LifecycleTransitionActivate             uint8 = 3
	LifecycleTransitionDeactivate           uint8 = 4
	LifecycleTransitionUnconfiguredShutdown uint8 = 5
	LifecycleTransitionInactiveShutdown     uint8 = 6
	LifecycleTransitionActiveShutdown       uint8 = 7
	LifecycleTransitionOnConfigureFailure   uint8 = 11
	LifecycleTransitionOnCleanupFailure     uint8 = 21
	LifecycleTransitionOnActivateFailure    uint8 = 31
	LifecycleTransitionOnDeactivateFailure  uint8 = 41
	LifecycleTransitionOnShutdownFailure    uint8 = 51
	LifecycleTransitionOnErrorFailure       uint8 = 61
)

// How a lifecycle node is asked for its state, and led to another.
type (
	LifecycleState struct {
		ID    uint8
		Label string
	}
	LifecycleTransition struct {
		ID    uint8
		Label string
	}
	TransitionDescription struct {
		Transition LifecycleTransition
		StartState LifecycleState
		GoalState  LifecycleState
	}
	TransitionEvent struct {
		Timestamp  uint64
		Transition LifecycleTransition
		StartState LifecycleState
		GoalState  LifecycleState
	}
	ChangeStateRequest struct {
		Transition LifecycleTransition
	}
	ChangeStateResponse struct {
		Success bool
	}
	GetAvailableStatesRequest  struct{}
	GetAvailableStatesResponse struct {
		AvailableStates []LifecycleState
	}
	GetAvailableTransitionsRequest  struct{}
	GetAvailableTransitionsResponse struct {
		AvailableTransitions []TransitionDescription
	}
	GetStateRequest  struct{}
	GetStateResponse struct {
		CurrentState LifecycleState
	}
)

func (*LifecycleState) ROSType() string        { return "lifecycle_msgs/msg/State" }
func (*LifecycleTransition) ROSType() string   { return "lifecycle_msgs/msg/Transition" }
func (*TransitionDescription) ROSType() string { return "lifecycle_msgs/msg/TransitionDescription" }
func (*TransitionEvent) ROSType() string       { return "lifecycle_msgs/msg/TransitionEvent" }

func (*ChangeStateRequest) ROSType() string  { return "lifecycle_msgs/srv/ChangeState_Request" }
func (*ChangeStateResponse) ROSType() string { return "lifecycle_msgs/srv/ChangeState_Response" }
func (*GetAvailableStatesRequest) ROSType() string {
	return "lifecycle_msgs/srv/GetAvailableStates_Request"
}
func (*GetAvailableStatesResponse) ROSType() string {
	return "lifecycle_msgs/srv/GetAvailableStates_Response"
}
func (*GetAvailableTransitionsRequest) ROSType() string {
	return "lifecycle_msgs/srv/GetAvailableTransitions_Request"
}
func (*GetAvailableTransitionsResponse) ROSType() string {
	return "lifecycle_msgs/srv/GetAvailableTransitions_Response"
}
func (*GetStateRequest) ROSType() string  { return "lifecycle_msgs/srv/GetState_Request" }
func (*GetStateResponse) ROSType() string { return "lifecycle_msgs/srv/GetState_Response" }

// Constants of rcl_interfaces/msg/Log.
const (
	LogDebug uint8 = 10
	LogInfo  uint8 = 20
	LogWarn  uint8 = 30
	LogError uint8 = 40
)

// Constants of rcl_interfaces/msg/ParameterType.
const (
	ParameterTypeParameterNotSet       uint8 = 0
	ParameterTypeParameterBool         uint8 = 1
	ParameterTypeParameterInteger      uint8 = 2
	ParameterTypeParameterDouble       uint8 = 3
	ParameterTypeParameterString       uint8 = 4
	ParameterTypeParameterByteArray    uint8 = 5
	ParameterTypeParameterBoolArray    uint8 = 6
	ParameterTypeParameterIntegerArray uint8 = 7
	ParameterTypeParameterDoubleArray  uint8 = 8
	ParameterTypeParameterStringArray  uint8 = 9
)

// The log and the parameters of a node.
type (
	FloatingPointRange struct {
		FromValue float64
		ToValue   float64
		Step      float64
	}
	IntegerRange struct {
		FromValue int64
		ToValue   int64
		Step      uint64
	}
	ListParametersResult struct {
		Names    []string
		Prefixes []string
	}
	Log struct {
		Stamp    Time
		Level    uint8
		Name     string
		Msg      string
		File     string
		Function string
		Line     uint32
	}
	Parameter struct {
		Name  string
		Value ParameterValue
	}
	ParameterDescriptor struct {
		Name                  string
		Type                  uint8
		Description           string
		AdditionalConstraints string
		ReadOnly              bool
		DynamicTyping         bool
		FloatingPointRange    []FloatingPointRange `max:"1"`
		IntegerRange          []IntegerRange       `max:"1"`
	}
	ParameterEvent struct {
		Stamp             Time
		Node              string
		NewParameters     []Parameter
		ChangedParameters []Parameter
		DeletedParameters []Parameter
	}
	ParameterType  struct{}
	ParameterValue struct {
		Type              uint8
		BoolValue         bool
		IntegerValue      int64
		DoubleValue       float64
		StringValue       string
		ByteArrayValue    []uint8
		BoolArrayValue    []bool
		IntegerArrayValue []int64
		DoubleArrayValue  []float64
		StringArrayValue  []string
	}
	SetParametersResult struct {
		Successful bool
		Reason     string
	}
	DescribeParametersRequest struct {
		Names []string
	}
	DescribeParametersResponse struct {
		Descriptors []ParameterDescriptor
	}
	GetParameterTypesRequest struct {
		Names []string
	}
	GetParameterTypesResponse struct {
		Types []uint8
	}
	GetParametersRequest struct {
		Names []string
	}
	GetParametersResponse struct {
		Values []ParameterValue
	}
	ListParametersRequest struct {
		Prefixes []string
		Depth    uint64
	}
	ListParametersResponse struct {
		Result ListParametersResult
	}
	SetParametersRequest struct {
		Parameters []Parameter
	}
	SetParametersResponse struct {
		Results []SetParametersResult
	}
	SetParametersAtomicallyRequest struct {
		Parameters []Parameter
	}
	SetParametersAtomicallyResponse struct {
		Result SetParametersResult
	}
)

func (*FloatingPointRange) ROSType() string   { return "rcl_interfaces/msg/FloatingPointRange" }
func (*IntegerRange) ROSType() string         { return "rcl_interfaces/msg/IntegerRange" }
func (*ListParametersResult) ROSType() string { return "rcl_interfaces/msg/ListParametersResult" }
func (*Log) ROSType() string                  { return "rcl_interfaces/msg/Log" }
func (*Parameter) ROSType() string            { return "rcl_interfaces/msg/Parameter" }
func (*ParameterDescriptor) ROSType() string  { return "rcl_interfaces/msg/ParameterDescriptor" }
func (*ParameterEvent) ROSType() string       { return "rcl_interfaces/msg/ParameterEvent" }
func (*ParameterType) ROSType() string        { return "rcl_interfaces/msg/ParameterType" }
func (*ParameterValue) ROSType() string       { return "rcl_interfaces/msg/ParameterValue" }
func (*SetParametersResult) ROSType() string  { return "rcl_interfaces/msg/SetParametersResult" }

func (*DescribeParametersRequest) ROSType() string {
	return "rcl_interfaces/srv/DescribeParameters_Request"
}
func (*DescribeParametersResponse) ROSType() string {
	return "rcl_interfaces/srv/DescribeParameters_Response"
}
func (*GetParameterTypesRequest) ROSType() string {
	return "rcl_interfaces/srv/GetParameterTypes_Request"
}
func (*GetParameterTypesResponse) ROSType() string {
	return "rcl_interfaces/srv/GetParameterTypes_Response"
}
func (*GetParametersRequest) ROSType() string { return "rcl_interfaces/srv/GetParameters_Request" }
func (*GetParametersResponse) ROSType() string {
	return "rcl_interfaces/srv/GetParameters_Response"
}
func (*ListParametersRequest) ROSType() string {
	return "rcl_interfaces/srv/ListParameters_Request"
}
func (*ListParametersResponse) ROSType() string {
	return "rcl_interfaces/srv/ListParameters_Response"
}
func (*SetParametersRequest) ROSType() string { return "rcl_interfaces/srv/SetParameters_Request" }
func (*SetParametersResponse) ROSType() string {
	return "rcl_interfaces/srv/SetParameters_Response"
}
func (*SetParametersAtomicallyRequest) ROSType() string {
	return "rcl_interfaces/srv/SetParametersAtomically_Request"
}
func (*SetParametersAtomicallyResponse) ROSType() string {
	return "rcl_interfaces/srv/SetParametersAtomically_Response"
}
