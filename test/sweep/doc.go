// Package sweep tests `stripswm sweep` with the program itself, on the smallest
// jobs that go through every stage, and the files in launch/cluster: the Slurm script
// runs a real job, the Kubernetes manifests are read and looked at.
package sweep
