// Package state saves, loads and measures the weights of a model from the tags of its fields.
//
// Fields with a tag state:"section,check,…" are the state of a model; they are exported. Save writes them, Load reads
// and checks them, Memory counts what they take. Fields without a tag (options, indexes, pools) are not written. A
// field whose section is empty is a struct, or a pointer to one, whose fields are written among those around it. What
// can be written: numbers, bools, texts, structs, arrays, slices, maps, pointers, and types that write themselves as
// text (encoding.TextMarshaler). A type that holds itself cannot: it is written as a list.
//
// # Format
//
// A state is written by columns. A field of a struct is one section with its values of all structs of that place, in
// order, however deep these lie in lists; the name of the section is those of the fields around it and its own, with
// dots between.
//
//   - Floating point: words of 4 or 8 bytes, little endian. Bools and integers of 8 bits: a byte each.
//   - Other integers: a byte with the width of the words (1, 2, 4 or 8, plus 128 if some are below 0), then the words.
//     The width is the least that holds all of them.
//   - Texts, and what writes itself as text: their number, their lengths, their bytes (kind.Writer.Strings).
//   - Slices and maps: their lengths, integers in the section X.lengths, then the values, and the keys of maps in
//     X.keys, rising. Lists in lists have the section X.each. A slice of numbers or texts of which there is one has no
//     lengths: its section tells.
//   - Pointers: lists of length 0 or 1; no lengths if they are never nil.
//
// # Checks
//
// Load makes the columns of all sections, compares their sizes, runs the checks of the tags over whole columns, and
// only then makes the values, so that no number of a damaged file sizes memory or a loop. Its errors wrap
// kind.ErrCorrupt and name section, value, place and limit. What tags cannot say is checked by a method Loaded() error
// of the struct, which Load calls, inner structs first, or by the kind after Load. (A struct that embeds another with
// Loaded has none of its own.)
//
//	len=X       as long as X says; of a list of structs, a text, a map as well
//	each=X      the inner lists of a list are as long as X says
//	equal=X     the number X
//	below=X     numbers are from 0 and below X, in inner lists too
//	rows=X      starts of rows: X of them and the end, from 0 to the number that into=Y names, never falling
//	rising      each more than the one before, in the innermost lists; of structs rising=A+B by these fields
//	sorted      no less than the one before; distinct: none twice; both with fields as well
//	from=N to=N numbers within; positive: above 0; finite; prob: from 0 to 1, with 1e-9 for rounding
//	some        not empty
//	always      of a pointer that is never nil
//	optional    models may lack the section; the field stays as it is
//
// X is a sum of products of numbers and fields, with the name in Go: a field of the struct, or else of the nearest one
// around it that has it, and fields of that behind a dot. A ^ leaves the innermost struct out. Slices, maps and texts
// count as their length.
//
// Plans are compiled once a type. A tag that makes no sense panics at the first use of the type.
package state
