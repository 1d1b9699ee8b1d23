package codec

import (
	"fmt"
	"strconv"
)

// CountSplitter cuts at a number of lines that are not blank; 0 is a file.
type CountSplitter struct {
	Sentences int
	seen      int // of the document
}

// Begins implements Splitter.
func (s *CountSplitter) Begins(line []byte) (begins, skip bool) {
	if IsBlank(line) {
		return false, false
	}
	begins = s.seen == 0
	if s.seen++; s.seen == s.Sentences {
		s.seen = 0
	}
	return begins, false
}

// DocumentCut checks the option document: the given word if any, sentence, file, or a number.
func DocumentCut(s, word string) (sentences int, err error) {
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

// SentenceSplitter cuts at markers, files, or a number of sentences.
type SentenceSplitter struct {
	Marker    func(line []byte) bool // nil without markers
	Passed    func(line []byte) bool // lines that count for nothing
	File      bool
	Sentences int
	marked    bool // the file has markers
	seen      int  // sentences of the document
	Inside    bool // of a sentence
	began     bool
}

// Begins implements Splitter.
func (s *SentenceSplitter) Begins(line []byte) (begins, skip bool) {
	if IsBlank(line) {
		s.Inside = false
		return false, false
	}
	if s.Passed != nil && s.Passed(line) {
		return false, false // neither a token nor a marker
	}
	first := !s.Inside
	s.Inside = true
	if s.Marker != nil && s.Marker(line) {
		s.Inside = false // what follows is a sentence of its own
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
	case s.File || s.marked || !first:
		return false, false
	case s.seen < max(1, s.Sentences):
		s.seen++
		return false, false
	}
	s.seen = 1
	return true, false
}

// LineSplitter cuts at each line; Blank is whether blank lines count.
type LineSplitter struct{ Blank bool }

// Begins implements Splitter.
func (s LineSplitter) Begins(line []byte) (begins, skip bool) {
	if !s.Blank && len(line) == 0 {
		return false, true
	}
	return true, false
}

// FirstLineSplitter cuts at a number of units that begin with a line of their own.
type FirstLineSplitter struct {
	First func(line []byte) bool
	Every int // 0 for a file
	seen  int
	began bool
}

// Begins implements Splitter.
func (s *FirstLineSplitter) Begins(line []byte) (begins, skip bool) {
	if !s.began && IsBlank(line) {
		return false, true
	}
	first := s.First(line)
	if begins = !s.began || first && s.Every > 0 && s.seen >= s.Every; begins {
		s.began, s.seen = true, 0
	}
	if first {
		s.seen++
	}
	return begins, false
}
