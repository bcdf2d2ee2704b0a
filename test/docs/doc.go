// Package docs checks the Markdown files of the repository: links, line lengths, words, and the
// length of the README. The command lines in them are checked by nodes/stripswm.
package docs
