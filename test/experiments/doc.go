// Package experiments has the experiments whose results are kept, and tests `stripswm research run`
// with the program itself, on the smallest jobs that run all stages. It also tests the files in
// launch/cluster: it runs a job with the Slurm script, and reads and checks the Kubernetes
// manifests.
package experiments
