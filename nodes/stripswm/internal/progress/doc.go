// Package progress shows how far long work has come.
//
// [New] makes a [Progress]. Set says which stage the work is in and how far that has come; a new
// stage ends the one before. Done ends the last:
//
//	work --Set--> Progress --> terminal: one line; file or pipe: a line every five seconds
//
// On a terminal the line has stage, count, rate and remaining time
// (github.com/schollz/progressbar). The last line of a stage stays.
package progress
