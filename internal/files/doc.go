// Package files opens files that a user names, and replaces files that this program made.
//
// The main functions are [Open] and [Read], and [Write] and [Place]:
//
//	path --Open, Read--> a regular file of a bounded size, or an error
//	data --Write--> file;  folder --Place--> folder, if the program made what is there
//
//	data, err := files.Read("now.png", 64<<20)
//	err = files.Write("runs/demo/report/demo.json", data)
//
// Open and Read refuse a device or a pipe, and do not wait for it. Write and Place put a file or a
// folder at a path, whole or not at all. They note its SHA-256 in the file [NoteName] of the folder
// around it. They replace what is at the path only if the note has its present form. Otherwise they
// leave it as it is, and return [ErrNotMade].
package files
