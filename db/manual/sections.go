package manual

import "strings"

// Section is a part of the manual under one title.
type Section struct {
	Chapter string // title of the chapter; that of the section itself for what a chapter begins with
	Title   string
	Text    string // Markdown without fences: what stood between them is indented
}

// Sections returns the sections of the chapters in their order.
func Sections() ([]Section, error) {
	list, err := Chapters(".")
	if err != nil {
		return nil, err
	}
	var out []Section
	for _, c := range list {
		for _, b := range c.Blocks {
			out = b.sections(out)
		}
	}
	for i := range out {
		out[i].Text = strings.Trim(out[i].Text, "\n") + "\n"
	}
	return out, nil
}

// sections adds what a block holds to the last section, and the sections that begin in it.
func (b *Block) sections(out []Section) []Section {
	for line := range strings.Lines(b.Text) {
		title, chapter := strings.CutPrefix(line, "## ")
		section := false
		if !chapter {
			title, section = strings.CutPrefix(line, "### ")
		}
		title = strings.TrimSpace(title)
		switch {
		case b.Kind == "" && chapter:
			out = append(out, Section{Chapter: title, Title: title})
		case b.Kind == "" && section && len(out) > 0:
			out = append(out, Section{Chapter: out[len(out)-1].Chapter, Title: title})
		case len(out) == 0: // before the first title
		case b.Kind != "" && line != "\n":
			out[len(out)-1].Text += "  " + line
		default:
			out[len(out)-1].Text += line
		}
	}
	return out
}
