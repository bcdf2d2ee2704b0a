// Package docs tests the Markdown files of the repository: links, line lengths, the length of
// the README, and the examples of file formats. nodes/stripswm tests the command lines in them.
package docs
