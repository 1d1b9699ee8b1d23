// Package codec has what all formats of files share. A Format names a format and makes its Codec, which holds the
// options; what the Codec can do, it says by its methods. To read documents that begin at a line, so that workers parse
// them in parallel, it has Splitter and Parse; to read them one after the other, Read; to read rows, Rows; to read a
// knowledge base, Knowledge. To write it has Document, or Begin and Row, and End for what stands last, or Endings,
// Files and Shared where a document becomes files of its own. ReadDocuments, ReadRows, ReadKB and the writers run a
// Codec.
//
// Sources are the files of a load, with compression and encodings; a Source is one of them, whose lines are bounded,
// checked to be text, and end with the context of the load. An Error has file, line and hint. What a format or a layer
// cannot hold is counted in the Notes that a Codec embeds, and told by Notices.
package codec
