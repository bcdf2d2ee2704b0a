// Package marked makes a recording with transitions of a plain rosbag2: one that has a camera's images, and a topic
// whose messages say when skills start and end, in whatever words or numbers the robot has for that.
//
// The main function is Import. Rules say which values of one field of those messages start a skill and which end it:
//
//	rules := marked.Rules{Start: regexp.MustCompile(`^start (.+)`), End: regexp.MustCompile(`^done`)}
//	report, err := marked.Import(ctx, "drive", "runs/bag", marked.Options{Image: "/camera/image", Skill: "/skill", Rules: rules, Look: look})
//
// From there on it is as on a rig: package recording gets the images and what the executor would have said, and picks
// the pictures before and after.
package marked
