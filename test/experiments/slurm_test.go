package experiments

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"stripswm/test/internal/process"
)

const sbatch = "../../launch/cluster/experiment.sbatch"

// task makes the command that Slurm runs for task 1 of an array, with an scontrol
// that notes what it is asked for.
func task(t testing.TB, file, dir string) (cmd *exec.Cmd, asked string) {
	tools := t.TempDir()
	asked = filepath.Join(tools, "asked")
	must(0, os.WriteFile(filepath.Join(tools, "scontrol"), []byte("#!/bin/sh\necho \"$@\" >> "+asked+
		"\n"), 0o700))
	cmd = exec.Command("bash", sbatch)
	cmd.Env = append(os.Environ(), "EXPERIMENT="+file, "OUT="+dir, "SLURM_ARRAY_TASK_ID=1",
		"SLURM_JOB_ID=77", "SLURM_CPUS_PER_TASK=1",
		"PATH="+filepath.Dir(process.Program("stripswm"))+":"+tools+":"+os.Getenv("PATH"))
	return cmd, asked
}

// slurm runs job 1 as a task of an array: up to its time limit, and again.
func slurm(t *testing.T, file, dir, job string) {
	t.Helper()
	cmd, asked := task(t, file, dir)
	p := process.Start(t, cmd)
	p.AwaitFile(filepath.Join(dir, job, "log.txt"))
	p.Signal(syscall.SIGUSR1)
	p.Wait()
	if text, err := os.ReadFile(asked); err != nil || strings.TrimSpace(string(text)) != "requeue 77" {
		t.Errorf("scontrol was asked for %q, %v", text, err)
	}
	cmd, asked = task(t, file, dir)
	want(t, 0, "", cmd)
	if _, err := os.Stat(asked); err == nil {
		t.Error("a task that is done asked to be queued again")
	}
	if _, err := os.Stat(filepath.Join(dir, job+"-eval.json")); err != nil {
		t.Error(err)
	}
}

func TestSlurmScript(t *testing.T) {
	t.Parallel()
	if code, out := run(t, exec.Command("bash", "-n", sbatch)); code != 0 {
		t.Fatal(out)
	}
	text := must(os.ReadFile(sbatch))
	body := false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#SBATCH") && body {
			t.Errorf("Slurm reads no directive after the first command: %s", line)
		}
		body = body || !strings.HasPrefix(line, "#")
	}
	for name, env := range map[string][]string{
		"EXPERIMENT":          {"OUT=x", "SLURM_ARRAY_TASK_ID=0"},
		"OUT":                 {"EXPERIMENT=x", "SLURM_ARRAY_TASK_ID=0"},
		"SLURM_ARRAY_TASK_ID": {"EXPERIMENT=x", "OUT=x"},
	} {
		cmd := exec.Command("bash", sbatch)
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
		if code, out := run(t, cmd); code == 0 || !strings.Contains(out, name) {
			t.Errorf("without %s: exit code %d, %s", name, code, out)
		}
	}
	cmd, _ := task(t, "nowhere.yaml", t.TempDir())
	want(t, 4, "no such file", cmd)
}
