package codec

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// LineStream is a source as a stream of its lines, checked like lines.
type LineStream struct {
	Source *Source
	rest   []byte // of the present line
	end    bool   // its line feed is still to come
}

// Read implements io.Reader.
func (l *LineStream) Read(p []byte) (int, error) {
	if len(l.rest) == 0 && l.end && len(p) > 0 {
		p[0], l.end = '\n', false
		return 1, nil
	}
	for len(l.rest) == 0 && !l.end {
		line, _, err := l.Source.Next()
		if err != nil {
			return 0, err
		}
		l.rest, l.end = line, true
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// Elements reads a source as XML.
type Elements struct {
	*xml.Decoder
	Source *Source
}

// Elements returns the elements of the source; the encoding of the load rules over the
// encoding that the file declares.
func (s *Source) Elements() *Elements {
	dec := xml.NewDecoder(&LineStream{Source: s})
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return &Elements{dec, s}
}

// line is the line that is being read.
func (x *Elements) line() int {
	line, _ := x.InputPos()
	return line
}

// Fault gives errors of the decoder their place.
func (x *Elements) Fault(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	var syntax *xml.SyntaxError
	if !errors.As(err, &syntax) {
		return x.Source.Fault(x.line(), 0, "%v", err)
	}
	return x.Source.Fault(max(1, syntax.Line), 0, "XML: %s", syntax.Msg)
}

// Root returns the next element that is not within another, io.EOF at the end.
func (x *Elements) Root(names ...string) (xml.StartElement, int, error) {
	for {
		tok, err := x.Token()
		if err != nil {
			return xml.StartElement{}, 0, x.Fault(err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if !slices.Contains(names, t.Name.Local) {
				return t, 0, x.Source.Fault(x.line(), 0, "<%s> where <%s> is wanted", t.Name.Local, strings.Join(names, "> or <"))
			}
			return t, x.line(), nil
		case xml.CharData:
			if !IsBlankText(string(t)) {
				return xml.StartElement{}, 0, x.Source.Fault(x.line(), 0, "text where <%s> is wanted",
					strings.Join(names, "> or <"))
			}
		}
	}
}

// Children calls f with each element within the present one; f reads it to its end.
func (x *Elements) Children(f func(e xml.StartElement, line int) error) error {
	for {
		tok, err := x.Token()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return x.Fault(err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if err := f(t, x.line()); err != nil {
				return x.Fault(err)
			}
		case xml.EndElement:
			return nil
		}
	}
}

// Attr is the value of the attribute of a name, "" without.
func Attr(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
