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
	messageHeader  = 2
	schemaMetadata = 2
	keyOf, valueOf = 0, 1
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
