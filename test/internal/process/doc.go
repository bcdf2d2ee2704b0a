// Package process runs programs of this project in tests. It builds them, starts them, waits for
// their output, stops them, and leaves none running, also when the test binary itself is killed.
//
// The main type is [Process]. [Start] runs a command in a session of its own and collects its
// output. When the test ends, or the test binary ends in any way, everything in that session is
// killed (guard.go):
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
// [Run] is for commands that end by themselves. The package measures no time: [Patience] is how
// long a test waits on the slowest machine before it fails.
package process
