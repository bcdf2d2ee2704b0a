package sweep

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// manifest is what the tests look at of a batch/v1 Job.
type manifest struct {
	APIVersion string `yaml:"api_version"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode       string `yaml:"completion_mode"`
		Completions          int
		BackoffLimitPerIndex *int `yaml:"backoff_limit_per_index"`
		Template             struct {
			Spec struct {
				RestartPolicy   string `yaml:"restart_policy"`
				SecurityContext struct {
					RunAsNonRoot bool `yaml:"run_as_non_root"`
				} `yaml:"security_context"`
				InitContainers []container `yaml:"init_containers"`
				Containers     []container
				Volumes        []struct {
					Name                  string
					PersistentVolumeClaim struct {
						ClaimName string `yaml:"claim_name"`
					} `yaml:"persistent_volume_claim"`
				}
			}
		}
	}
}

type container struct {
	Image           string
	Args            []string
	SecurityContext struct {
		AllowPrivilegeEscalation *bool `yaml:"allow_privilege_escalation"`
	} `yaml:"security_context"`
	Resources    struct{ Requests, Limits map[string]string }
	VolumeMounts []struct {
		Name      string
		MountPath string `yaml:"mount_path"`
	} `yaml:"volume_mounts"`
}

func manifests(t testing.TB, name string) []manifest {
	t.Helper()
	data, err := os.ReadFile("../../launch/cluster/" + name)
	if err != nil {
		t.Fatal(err)
	}
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
// rights, on the volume; as many indices as the grid has jobs.
func TestKubernetesJobs(t *testing.T) {
	t.Parallel()
	sweep, gather := manifests(t, "sweep-job.yaml"), manifests(t, "sweep-gather.yaml")
	if len(sweep) != 2 || len(gather) != 1 || sweep[0].Kind != "PersistentVolumeClaim" {
		t.Fatalf("%d and %d documents", len(sweep), len(gather))
	}
	job := sweep[1]
	if job.Spec.CompletionMode != "Indexed" || job.Spec.BackoffLimitPerIndex == nil {
		t.Errorf("not an indexed job that tries again: %+v", job.Spec)
	}
	dir := t.TempDir()
	for _, m := range []manifest{job, gather[0]} {
		pod := m.Spec.Template.Spec
		if m.APIVersion != "batch/v1" || m.Kind != "Job" || pod.RestartPolicy != "Never" ||
			!pod.SecurityContext.RunAsNonRoot {
			t.Errorf("%s: %s %s, restart %s", m.Metadata.Name, m.APIVersion, m.Kind, pod.RestartPolicy)
		}
		if len(pod.Volumes) != 1 ||
			pod.Volumes[0].PersistentVolumeClaim.ClaimName != sweep[0].Metadata.Name {
			t.Errorf("%s: volumes %+v", m.Metadata.Name, pod.Volumes)
		}
		for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
			if c.SecurityContext.AllowPrivilegeEscalation == nil ||
				*c.SecurityContext.AllowPrivilegeEscalation || c.Resources.Requests["memory"] == "" {
				t.Errorf("%s: container %v lacks limits", m.Metadata.Name, c.Args)
			}
			if len(c.VolumeMounts) != 1 || !slices.Contains(c.Args, c.VolumeMounts[0].MountPath) {
				t.Errorf("%s: %v works outside of the volume %+v", m.Metadata.Name, c.Args, c.VolumeMounts)
			}
			args := slices.Clone(c.Args)
			for i, a := range args {
				args[i] = strings.NewReplacer("/sweep", dir, "$(JOB_COMPLETION_INDEX)", "99").Replace(a)
			}
			code, out := run(t, stripswm(args...))
			switch {
			case c.Args[1] == "init" && (code != 0 || !strings.Contains(out, ": 9 jobs") ||
				job.Spec.Completions != 9):
				t.Errorf("%v: exit code %d, %s; completions %d", args, code, out, job.Spec.Completions)
			case c.Args[1] == "run" && (code != 2 || !strings.Contains(out, "no job 99")):
				t.Errorf("%v: exit code %d, %s", args, code, out)
			case c.Args[1] == "gather" && (code != 1 || !strings.Contains(out, "9 of 9 are missing")):
				t.Errorf("%v: exit code %d, %s", args, code, out)
			}
		}
	}
}
