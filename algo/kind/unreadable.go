package kind

// Unreadable is the error of Annotate and Explain for a document that is none of those that the model reads, such as a
// text where it wants features.
type Unreadable struct {
	Doc  string // id of the document; "" for a text of a statement
	Msg  string // what is wrong
	Hint string // what the model reads
}

func (e *Unreadable) Error() string {
	if e.Doc == "" {
		return e.Msg
	}
	return "document " + e.Doc + ": " + e.Msg
}
