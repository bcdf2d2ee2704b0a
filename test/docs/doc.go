// Package docs checks the Markdown files of the repository: links, line lengths, words, the length
// of the README, and the examples of file formats. The command lines in them are checked by
// nodes/stripswm.
package docs
