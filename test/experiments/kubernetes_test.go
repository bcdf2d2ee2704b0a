package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// manifest is what the tests look at of a batch/v1 Job.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		BackoffLimitPerIndex *int `yaml:"backoffLimitPerIndex"`
		Template             struct {
			Spec struct {
				RestartPolicy   string `yaml:"restartPolicy"`
				SecurityContext struct {
					RunAsNonRoot bool `yaml:"runAsNonRoot"`
				} `yaml:"securityContext"`
				Containers []container
				Volumes    []struct {
					Name                  string
					PersistentVolumeClaim struct {
						ClaimName string `yaml:"claimName"`
					} `yaml:"persistentVolumeClaim"`
				}
			}
		}
	}
}

type container struct {
	Image           string
	Args            []string
	SecurityContext struct {
		AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
	} `yaml:"securityContext"`
	Resources    struct{ Requests, Limits map[string]string }
	VolumeMounts []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

func manifests(t testing.TB, name string) []manifest {
	t.Helper()
	data := must(os.ReadFile("../../launch/cluster/" + name))
	var list []manifest
	for documents := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var m manifest
		if err := documents.Decode(&m); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, m)
	}
}

// TestKubernetesJobs: every container runs a verb that this program has, without
// rights, on the volume; as many indices as the experiment has jobs.
func TestKubernetesJobs(t *testing.T) {
	t.Parallel()
	jobs, rows := manifests(t, "experiment-job.yaml"), manifests(t, "experiment-rows.yaml")
	if len(jobs) != 2 || len(rows) != 1 || jobs[0].Kind != "PersistentVolumeClaim" {
		t.Fatalf("%d and %d documents", len(jobs), len(rows))
	}
	job := jobs[1]
	if job.Spec.CompletionMode != "Indexed" || job.Spec.BackoffLimitPerIndex == nil {
		t.Errorf("not an indexed job that tries again: %+v", job.Spec)
	}
	dir := t.TempDir()
	for _, m := range []manifest{job, rows[0]} {
		pod := m.Spec.Template.Spec
		if m.APIVersion != "batch/v1" || m.Kind != "Job" || pod.RestartPolicy != "Never" ||
			!pod.SecurityContext.RunAsNonRoot {
			t.Errorf("%s: %s %s, restart %s", m.Metadata.Name, m.APIVersion, m.Kind, pod.RestartPolicy)
		}
		if len(pod.Volumes) != 1 ||
			pod.Volumes[0].PersistentVolumeClaim.ClaimName != jobs[0].Metadata.Name {
			t.Errorf("%s: volumes %+v", m.Metadata.Name, pod.Volumes)
		}
		for _, c := range pod.Containers {
			if c.SecurityContext.AllowPrivilegeEscalation == nil ||
				*c.SecurityContext.AllowPrivilegeEscalation || c.Resources.Requests["memory"] == "" {
				t.Errorf("%s: container %v lacks limits", m.Metadata.Name, c.Args)
			}
			if len(c.VolumeMounts) != 1 || !slices.Contains(c.Args, c.VolumeMounts[0].MountPath) {
				t.Errorf("%s: %v works outside of the volume %+v", m.Metadata.Name, c.Args, c.VolumeMounts)
			}
			args := slices.Clone(c.Args)
			for i, a := range args {
				args[i] = strings.NewReplacer("/results", dir, "/opt/stripswm", "../..",
					"$(JOB_COMPLETION_INDEX)", "99").Replace(a)
			}
			code, out := run(t, stripswm(args...))
			switch {
			case c.Args[1] == "run" && (code != 2 || !strings.Contains(out, fmt.Sprintf(
				"no job 99: jobs are 0 to %d", job.Spec.Completions-1))):
				t.Errorf("%v: exit code %d, %s", args, code, out)
			case c.Args[1] == "rows" && (code != 1 || !strings.Contains(out, "9 of 9 are missing")):
				t.Errorf("%v: exit code %d, %s", args, code, out)
			}
		}
	}
}
