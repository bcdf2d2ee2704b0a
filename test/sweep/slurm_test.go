package sweep

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"stripswm/test/internal/process"
)

const sbatch = "../../launch/cluster/sweep.sbatch"

// task makes the command that Slurm runs for task 1 of an array, with an scontrol
// that notes what it is asked for.
func task(t testing.TB, dir string) (cmd *exec.Cmd, asked string) {
	tools := t.TempDir()
	asked = filepath.Join(tools, "asked")
	if err := os.WriteFile(filepath.Join(tools, "scontrol"), []byte("#!/bin/sh\necho \"$@\" >> "+asked+
		"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command("bash", sbatch)
	cmd.Env = append(os.Environ(), "SWEEP="+dir, "SLURM_ARRAY_TASK_ID=1", "SLURM_JOB_ID=77",
		"SLURM_CPUS_PER_TASK=1",
		"PATH="+filepath.Dir(process.Program("stripswm"))+":"+tools+":"+os.Getenv("PATH"))
	return cmd, asked
}

// slurm runs job 1 as a task of an array: up to its time limit, and again.
func slurm(t *testing.T, dir string) {
	t.Helper()
	cmd, asked := task(t, dir)
	p := process.Start(t, cmd)
	p.AwaitFile(filepath.Join(dir, "jobs", "001-*", "lock"))
	p.Signal(syscall.SIGUSR1)
	p.Wait()
	if text, err := os.ReadFile(asked); err != nil || strings.TrimSpace(string(text)) != "requeue 77" {
		t.Errorf("scontrol was asked for %q, %v", text, err)
	}
	cmd, asked = task(t, dir)
	want(t, 0, "peak memory", cmd)
	if _, err := os.Stat(asked); err == nil {
		t.Error("a task that is done asked to be queued again")
	}
	only(t, filepath.Join(dir, "jobs", "001-*", "report", "demo.json"))
}

func TestSlurmScript(t *testing.T) {
	t.Parallel()
	if code, out := run(t, exec.Command("bash", "-n", sbatch)); code != 0 {
		t.Fatal(out)
	}
	text, err := os.ReadFile(sbatch)
	if err != nil {
		t.Fatal(err)
	}
	body := false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#SBATCH") && body {
			t.Errorf("Slurm reads no directive after the first command: %s", line)
		}
		body = body || !strings.HasPrefix(line, "#")
	}
	for name, env := range map[string][]string{
		"SWEEP":               {"SLURM_ARRAY_TASK_ID=0"},
		"SLURM_ARRAY_TASK_ID": {"SWEEP=" + t.TempDir()},
	} {
		cmd := exec.Command("bash", sbatch)
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
		if code, out := run(t, cmd); code == 0 || !strings.Contains(out, name) {
			t.Errorf("without %s: exit code %d, %s", name, code, out)
		}
	}
	cmd, _ := task(t, t.TempDir())
	want(t, 4, "sweep init", cmd)
}
