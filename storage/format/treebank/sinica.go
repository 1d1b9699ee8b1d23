package treebank

import (
	"bytes"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
)

// sinica is the format of the Sinica Treebank, one tree a line:
//
//	#2:2.[39029] S(agent:NP(Head:Nhaa:我們)|Head:VA4:上學)#。(PERIODCATEGORY)
//
// Functions follow the category of a node (NP-agent) and stand in misc of a token (Role=Head).
// What stands before the tree is kept as a comment; the sign after it is a token.
type sinica struct {
	cut       string
	sentences int
}

func (c *sinica) Options(s *option.Set) {
	s.Text(&c.cut, "document", "restart",
		"a document begins where sentences are numbered anew, is a sentence, a file, or a number of sentences")
	s.Check("document", func() (err error) { c.sentences, err = codec.DocumentCut(c.cut, "restart"); return err })
}

// restartSplitter cuts where numbers start again.
type restartSplitter struct{ last int }

func (c *sinica) Splitter() codec.Splitter {
	if c.cut == "restart" {
		return &restartSplitter{}
	}
	return &codec.CountSplitter{Sentences: c.sentences}
}

func (s *restartSplitter) Begins(line []byte) (begins, skip bool) {
	if codec.IsBlank(line) {
		return false, false
	}
	n := sinicaNumber(line)
	begins = s.last == 0 || n <= s.last
	s.last = n
	return begins, false
}

// sinicaNumber is the number after # at the beginning of a line, at least 1.
func sinicaNumber(line []byte) int {
	n := 0
	for _, c := range bytes.TrimPrefix(line, []byte("#")) {
		if c < '0' || c > '9' || n > 1<<30 {
			break
		}
		n = 10*n + int(c-'0')
	}
	return max(1, n)
}

// sinicaReader is one document on its way.
type sinicaReader struct {
	b     *codec.Block
	bd    layers.Builder
	rows  layers.Tree
	words layers.Words
	cols  layers.TokenCells
}

func (c *sinica) Parse(b codec.Block) ([]*text.Document, error) {
	r := sinicaReader{b: &b, cols: layers.TokenCells{Names: []string{"xpos", "misc"}}}
	at := 0
	for rest := b.Text; rest != ""; at++ {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		if codec.IsBlankText(line) {
			continue
		}
		if err := r.line(at, line); err != nil {
			return nil, err
		}
	}
	d, toks := r.bd.Document(b.ID())
	r.cols.Set(toks)
	r.rows.Set(d, toks)
	r.words.Set(d)
	return []*text.Document{d}, nil
}

func (r *sinicaReader) line(at int, line string) error {
	mark, body, ok := strings.Cut(line, " ")
	end := strings.LastIndexByte(body, '#')
	if !ok || !strings.HasPrefix(mark, "#") || end < 0 {
		return r.b.Fault(at, 0, "a line is a number, a tree and a sign, such as #1:1.[7] NP(Head:Nad:友情)#。(PERIODCATEGORY)")
	}
	r.bd.Sentence()
	number := len(r.bd.SentStart)
	r.rows.Sentence(number)
	r.words.Add(number, "", mark)
	col := len(mark) + 1
	if err := r.tree(at, col, body[:end]); err != nil {
		return err
	}
	sign := text.Trim(body[end+1:])
	if sign == "" {
		return nil
	}
	form, tag, ok := strings.Cut(strings.TrimSuffix(sign, ")"), "(")
	if !ok || form == "" || tag == "" || !strings.HasSuffix(sign, ")") {
		return r.b.Fault(at, col+end+2, "%q is no sign with its category, such as 。(PERIODCATEGORY)", sign)
	}
	r.token(form, tag, "")
	return nil
}

func (r *sinicaReader) token(form, tag, role string) {
	if role != "" {
		role = "Role=" + role
	}
	r.bd.Token(form, true)
	r.cols.Add(tag, role)
}

// tree reads nodes: LABEL(...|...) with FUNCTION: before it but at the root.
func (r *sinicaReader) tree(at, col int, s string) error {
	done := false // an item is complete: |, ) or the end follows
	for i := 0; i < len(s); {
		n := strings.IndexAny(s[i:], "()|")
		if n < 0 {
			n = len(s) - i
		}
		item, sign := s[i:i+n], byte(0)
		if i+n < len(s) {
			sign = s[i+n]
		}
		switch {
		case sign == '(' && !done && item != "" && (i == 0 || len(r.rows.Open) > 0):
			r.node(item)
		case done && item == "" && sign != '(':
		case !done && sign != '(' && len(r.rows.Open) > 0 && r.leaf(item):
		default:
			return r.b.Fault(at, col+i+1,
				"%q is neither a node FUNCTION:CATEGORY(...) nor a word FUNCTION:TAG:FORM at its place in the tree", item)
		}
		switch done = sign == ')'; {
		case done && len(r.rows.Open) == 0:
			return r.b.Fault(at, col+i+n+1, "a bracket is closed that is not open")
		case done:
			r.rows.Pop(r.bd.Next())
		}
		i += n + 1
	}
	if len(r.rows.Open) > 0 || !done {
		return r.b.Fault(at, col+len(s), "the tree is not closed")
	}
	return nil
}

// node opens a node; its function follows the category.
func (r *sinicaReader) node(item string) {
	label := item
	if k := strings.LastIndexByte(item, ':'); k >= 0 {
		label = item[k+1:] + "-" + item[:k]
	}
	r.rows.Push(label, r.bd.Next())
}

// leaf reads FUNCTION:TAG:FORM; the function may be missing or double.
func (r *sinicaReader) leaf(item string) bool {
	k := strings.LastIndexByte(item, ':')
	if k < 1 || k+1 == len(item) {
		return false
	}
	role, tag := "", item[:k]
	if j := strings.LastIndexByte(tag, ':'); j >= 0 {
		role, tag = tag[:j], tag[j+1:]
	}
	r.token(item[k+1:], tag, role)
	return true
}
