package columnar

import "encoding/binary"

// flatbuffer reads tables of a message of Arrow, which the library reads without looking at the lengths in it. A place
// outside of the bytes is a panic, which safely makes an error.
type flatbuffer []byte

func (b flatbuffer) u32(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }

// root is the place of the first table.
func (b flatbuffer) root() int { return b.u32(0) }

// field is the place of a field of a table, 0 where it is left out.
func (b flatbuffer) field(table, n int) int {
	layout := table - int(int32(b.u32(table)))
	if 4+2*n >= int(binary.LittleEndian.Uint16(b[layout:])) {
		return 0
	}
	if at := int(binary.LittleEndian.Uint16(b[layout+4+2*n:])); at > 0 {
		return table + at
	}
	return 0
}

// vector is the place of the first element of a list that a field refers to, and how many of a size there are.
func (b flatbuffer) vector(field, size int) (at, n int) {
	if field == 0 {
		return 0, 0
	}
	list := b.follow(field)
	n = b.u32(list)
	_ = b[list+4:][:n*size] // all of it is there
	return list + 4, n
}

// i64 is a number of 64 bits.
func (b flatbuffer) i64(at int) int64 { return int64(binary.LittleEndian.Uint64(b[at:])) }

// follow is the place that a place refers to.
func (b flatbuffer) follow(at int) int { return at + b.u32(at) }

// text is a text that a field refers to.
func (b flatbuffer) text(field int) string {
	if field == 0 {
		return ""
	}
	at := b.follow(field)
	return string(b[at+4:][:b.u32(at)])
}

// Fields of the tables of Arrow's messages, by their numbers.
const (
	messageKind, messageHeader, messageBody = 1, 2, 3
	messageMetadata                         = 4
	schemaFields, schemaMetadata            = 1, 2
	fieldName, fieldTypeKind, fieldType     = 0, 2, 3
	fieldChildren, fieldMetadata            = 5, 6
	unionKind, unionMembers                 = 14, 1
	keyOf, valueOf                          = 0, 1
	dictionaryData                          = 1
	batchLength, batchNodes, batchBuffers   = 0, 1, 2
	batchCompression, batchVariadic         = 3, 4
	compressionCodec                        = 0
	footerVersion, footerSchema             = 0, 1
	footerDictionaries, footerBatches       = 2, 3
	blockBytes, nodeBytes, bufferBytes      = 24, 16, 16
)

// schemaText looks a key up in the metadata of the schema that a message holds, behind its marker and length.
func schemaText(message []byte, key string) string {
	if len(message) >= 8 && binary.LittleEndian.Uint32(message) == 0xffffffff {
		message = message[8:]
	}
	b := flatbuffer(message)
	header := b.field(b.root(), messageHeader)
	if header == 0 {
		return ""
	}
	list := b.field(b.follow(header), schemaMetadata)
	if list == 0 {
		return ""
	}
	list = b.follow(list)
	for i := range b.u32(list) {
		if pair := b.follow(list + 4 + 4*i); b.text(b.field(pair, keyOf)) == key {
			return b.text(b.field(pair, valueOf))
		}
	}
	return ""
}
