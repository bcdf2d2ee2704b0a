package ros

import (
	"context"
	"slices"
	"strings"

	"stripswm/msgs"
)

// serve offers what `ros2 param` and other nodes ask for: list, get, set, describe.
func (s *paramSet) serve() error {
	n := s.node
	var err error
	if s.events, err = Advertise[*msgs.ParameterEvent](n, "/parameter_events",
		ParameterEvents); err != nil {
		return err
	}
	offers := []func() error{
		func() error { _, err := Serve(n, "~/list_parameters", s.list); return err },
		func() error { _, err := Serve(n, "~/get_parameters", s.getAll); return err },
		func() error { _, err := Serve(n, "~/get_parameter_types", s.types); return err },
		func() error { _, err := Serve(n, "~/set_parameters", s.setEach); return err },
		func() error { _, err := Serve(n, "~/set_parameters_atomically", s.setTogether); return err },
		func() error { _, err := Serve(n, "~/describe_parameters", s.describe); return err },
	}
	for _, offer := range offers {
		if err := offer(); err != nil {
			return err
		}
	}
	return nil
}

func (s *paramSet) list(_ context.Context,
	req *msgs.ListParametersRequest,
) *msgs.ListParametersResponse {
	res := &msgs.ListParametersResponse{}
	for _, name := range s.names() {
		if !listed(name, req.Prefixes, req.Depth) {
			continue
		}
		res.Result.Names = append(res.Result.Names, name)
		if i := strings.LastIndexByte(name, '.'); i >= 0 &&
			!slices.Contains(res.Result.Prefixes, name[:i]) {
			res.Result.Prefixes = append(res.Result.Prefixes, name[:i])
		}
	}
	return res
}

// listed reports whether the name is at or below a prefix, and not deeper below it than depth (0 is
// any).
func listed(name string, prefixes []string, depth uint64) bool {
	shallow := func(rest string) bool { return depth == 0 || uint64(strings.Count(rest, ".")) < depth }
	if len(prefixes) == 0 {
		return shallow(name)
	}
	for _, prefix := range prefixes {
		rest, ok := strings.CutPrefix(name, prefix+".")
		if name == prefix || ok && shallow(rest) {
			return true
		}
	}
	return false
}

// getAll answers, as rclcpp does, with no values at all if one of the names is not declared; so do
// types and describe.
func (s *paramSet) getAll(_ context.Context,
	req *msgs.GetParametersRequest,
) *msgs.GetParametersResponse {
	res := &msgs.GetParametersResponse{}
	for _, name := range req.Names {
		p, ok := s.get(name)
		if !ok {
			return &msgs.GetParametersResponse{}
		}
		res.Values = append(res.Values, p.value)
	}
	return res
}

func (s *paramSet) types(_ context.Context,
	req *msgs.GetParameterTypesRequest,
) *msgs.GetParameterTypesResponse {
	res := &msgs.GetParameterTypesResponse{}
	for _, name := range req.Names {
		p, ok := s.get(name)
		if !ok {
			return &msgs.GetParameterTypesResponse{}
		}
		res.Types = append(res.Types, p.value.Type)
	}
	return res
}

func (s *paramSet) describe(_ context.Context,
	req *msgs.DescribeParametersRequest,
) *msgs.DescribeParametersResponse {
	res := &msgs.DescribeParametersResponse{}
	for _, name := range req.Names {
		p, ok := s.get(name)
		if !ok {
			return &msgs.DescribeParametersResponse{}
		}
		res.Descriptors = append(res.Descriptors, p.descriptor)
	}
	return res
}

func (s *paramSet) setEach(_ context.Context,
	req *msgs.SetParametersRequest,
) *msgs.SetParametersResponse {
	res := &msgs.SetParametersResponse{}
	for _, p := range req.Parameters {
		res.Results = append(res.Results, result(s.set([]msgs.Parameter{p})))
	}
	return res
}

func (s *paramSet) setTogether(_ context.Context,
	req *msgs.SetParametersAtomicallyRequest,
) *msgs.SetParametersAtomicallyResponse {
	return &msgs.SetParametersAtomicallyResponse{Result: result(s.set(req.Parameters))}
}

func result(err error) msgs.SetParametersResult {
	if err != nil {
		return msgs.SetParametersResult{Reason: err.Error()}
	}
	return msgs.SetParametersResult{Successful: true}
}
