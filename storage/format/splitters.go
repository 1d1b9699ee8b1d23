package format

import (
	"fmt"
	"strconv"
)

// countSplitter cuts every so many lines that are not blank; 0 is a file.
type countSplitter struct {
	sentences int
	seen      int // of the document
}

func (s *countSplitter) begins(line []byte) (begins, skip bool) {
	if isBlank(line) {
		return false, false
	}
	begins = s.seen == 0
	if s.seen++; s.seen == s.sentences {
		s.seen = 0
	}
	return begins, false
}

// documentCut checks the option document: the given word if any, sentence, file, or a number.
func documentCut(s, word string) (sentences int, err error) {
	if word != "" {
		if s == word {
			return 0, nil
		}
		word += ", "
	}
	switch s {
	case "file":
		return 0, nil
	case "sentence":
		return 1, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("it is %ssentence, file or a number of sentences, not %s", word, s)
	}
	return n, nil
}

// sentenceSplitter cuts at markers, files, or every so many sentences.
type sentenceSplitter struct {
	marker    func(line []byte) bool // nil without markers
	passed    func(line []byte) bool // lines that count for nothing
	file      bool
	sentences int
	marked    bool // the file has markers
	seen      int  // sentences of the document
	inside    bool // of a sentence
	began     bool
}

func (s *sentenceSplitter) begins(line []byte) (begins, skip bool) {
	if isBlank(line) {
		s.inside = false
		return false, false
	}
	if s.passed != nil && s.passed(line) {
		return false, false // neither a token nor a marker
	}
	first := !s.inside
	s.inside = true
	if s.marker != nil && s.marker(line) {
		s.inside = false // what follows is a sentence of its own
		if !s.began || s.marked {
			s.began, s.marked, s.seen = true, true, 0
			return true, false
		}
		if !first && s.seen <= 1 {
			s.marked = true // the marker stands below other comments of the first sentence
		}
		return false, false
	}
	switch {
	case !s.began:
		s.began, s.seen = true, 1
		return true, false
	case s.file || s.marked || !first:
		return false, false
	case s.seen < max(1, s.sentences):
		s.seen++
		return false, false
	}
	s.seen = 1
	return true, false
}

type lineSplitter struct{ blank bool }

func (s lineSplitter) begins(line []byte) (begins, skip bool) {
	if !s.blank && len(line) == 0 {
		return false, true
	}
	return true, false
}

// firstLineSplitter cuts every so many units that begin with a line of their own.
type firstLineSplitter struct {
	first func(line []byte) bool
	every int // 0 for a file
	seen  int
	began bool
}

func (s *firstLineSplitter) begins(line []byte) (begins, skip bool) {
	if !s.began && isBlank(line) {
		return false, true
	}
	first := s.first(line)
	if begins = !s.began || first && s.every > 0 && s.seen >= s.every; begins {
		s.began, s.seen = true, 0
	}
	if first {
		s.seen++
	}
	return begins, false
}
