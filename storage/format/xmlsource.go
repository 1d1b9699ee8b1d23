package format

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// lineStream is a source as a stream of its lines, checked like lines.
type lineStream struct {
	src  *Source
	rest []byte // of the present line
	end  bool   // its line feed is still to come
}

func (l *lineStream) Read(p []byte) (int, error) {
	if len(l.rest) == 0 && l.end && len(p) > 0 {
		p[0], l.end = '\n', false
		return 1, nil
	}
	for len(l.rest) == 0 && !l.end {
		line, _, err := l.src.next()
		if err != nil {
			return 0, err
		}
		l.rest, l.end = line, true
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// xmlElements reads a source as XML.
type xmlElements struct {
	*xml.Decoder
	src *Source
}

// elements returns the elements of the source; the encoding of the load rules over the
// encoding that the file declares.
func (s *Source) elements() *xmlElements {
	dec := xml.NewDecoder(&lineStream{src: s})
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return &xmlElements{dec, s}
}

// line is the line that is being read.
func (x *xmlElements) line() int {
	line, _ := x.InputPos()
	return line
}

// fault gives errors of the decoder their place.
func (x *xmlElements) fault(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	var syntax *xml.SyntaxError
	if !errors.As(err, &syntax) {
		return x.src.fault(x.line(), 0, "%v", err)
	}
	return x.src.fault(max(1, syntax.Line), 0, "XML: %s", syntax.Msg)
}

// root returns the next element that is not within another, io.EOF at the end.
func (x *xmlElements) root(names ...string) (xml.StartElement, int, error) {
	for {
		tok, err := x.Token()
		if err != nil {
			return xml.StartElement{}, 0, x.fault(err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if !slices.Contains(names, t.Name.Local) {
				return t, 0, x.src.fault(x.line(), 0, "<%s> where <%s> is wanted", t.Name.Local, strings.Join(names, "> or <"))
			}
			return t, x.line(), nil
		case xml.CharData:
			if !isBlankText(string(t)) {
				return xml.StartElement{}, 0, x.src.fault(x.line(), 0, "text where <%s> is wanted", strings.Join(names, "> or <"))
			}
		}
	}
}

// children calls f with each element within the present one; f reads it to its end.
func (x *xmlElements) children(f func(e xml.StartElement, line int) error) error {
	for {
		tok, err := x.Token()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return x.fault(err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if err := f(t, x.line()); err != nil {
				return x.fault(err)
			}
		case xml.EndElement:
			return nil
		}
	}
}

func xmlAttr(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
