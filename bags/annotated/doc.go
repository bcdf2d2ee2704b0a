// Package annotated imports an annotated bag: a rosbag2 with images of a camera, and a topic whose
// messages say when skills start and end, in the words or numbers of the robot.
//
// The main function is [Import]. [Rules] say which values of one field of those messages start a
// skill, and which end it:
//
//	annotated bag --Rules--> images, skill statuses --recording.Recorder--> recording
//
//	report, err := annotated.Import(ctx, "drive", "runs/bag", annotated.Options{
//		Image: "/camera/image", Skill: "/skill", Field: "data", Thumbnail: view,
//		Rules: annotated.Rules{
//			Start: regexp.MustCompile(`^start (.+)`), End: regexp.MustCompile(`^done`),
//		},
//	})
//
// Package recording gets the images, and what a skill executor would have published. It selects the
// images before and after a skill, as on a rig.
package annotated
