// Package process runs programs of this project in tests: it builds them, starts
// them, waits for what they say, stops them, and leaves none behind, also when the
// test binary itself is killed.
//
// The main type is Process. Start runs a command in a session of its own; its
// output is collected and can be waited for; when the test ends, or the test
// binary does in whatever way, everything in that session is killed (guard.go).
//
//	func TestMain(m *testing.M) { process.Main(m, "simrig") }
//
//	func TestRig(t *testing.T) {
//		cmd := exec.Command(process.Program("simrig"))
//		cmd.Env = process.Env(process.Domain(t))
//		rig := process.Start(t, cmd)
//		rig.Await("ready")
//		rig.Stop(os.Interrupt)
//	}
//
// Run is for commands that end by themselves. Nothing here measures time: Patience
// is how long a test waits on the slowest machine before it calls something stuck.
package process
