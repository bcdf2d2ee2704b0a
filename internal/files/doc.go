// Package files opens files that a user names, and replaces what this program made.
//
// [Open] and [Read] take regular files of a bounded size and nothing else: a device or a pipe is
// refused, not waited for. [Write] and [Place] put a file or a folder at a path, whole or not at
// all, and note its SHA-256 in the file [NoteName] of the folder around it. What is at the path
// already is only replaced if it is noted there in its present form; everything else is left as
// it is, and the error is [ErrForeign].
//
//	data, err := files.Read("now.png", 64<<20)
//	err = files.Write("runs/demo/report/demo.json", data)
package files
