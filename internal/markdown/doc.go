// Package markdown reads the Markdown files of a repository for the tests that check them. [Files]
// lists them, and [Read] separates prose and code blocks. The main type is [Page]:
//
//	page, err := markdown.Read("README.md")
//	for _, b := range page.Blocks {
//		fmt.Println(b.Line, b.Language, len(b.Lines))
//	}
package markdown
