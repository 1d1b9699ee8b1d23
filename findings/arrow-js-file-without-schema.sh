#!/usr/bin/env bash
# Files that Apache Arrow for JavaScript writes have no schema before their batches.
#
# Arrow's documentation of the file format: the magic ARROW1 and padding, then the messages of the streaming format (a
# schema first), then the footer, which has the schema again and the places of the batches. npm's apache-arrow 21.2.0
# leaves the first message out when it writes a file: a batch follows the magic at once, and the schema stands in the
# footer alone. Its streams begin with the schema. Readers that go by the footer notice nothing; one that reads a file
# from its front, as a stream behind eight bytes, finds no schema.
#
# Seen with node 20:
#   stream: the first message is a schema
#   file: the first message is a batch
#   read back: 3 rows, from the file and from the stream
#
# Needs node and npm. Fails if any of this changes.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --no-update-notifier apache-arrow@21.2.0 >/dev/null
cat >try.js <<'JS'
const arrow = require('apache-arrow');

// kinds are the types of the union MessageHeader of Arrow's Message.fbs.
const kinds = {1: 'schema', 2: 'dictionary', 3: 'batch'};

// first is the kind of the message at a place: a mark of four bytes, the length of the metadata, a table of flatbuffers
// whose field 1 is the kind.
function first(bytes, at) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 8);
  const table = view.getUint32(0, true);
  const fields = table - view.getInt32(table, true);
  return kinds[view.getUint8(table + view.getUint16(fields + 6, true))];
}

const table = arrow.tableFromArrays({n: Int32Array.from([1, 2, 3])});
const stream = arrow.tableToIPC(table, 'stream');
const file = arrow.tableToIPC(table, 'file');
console.log('stream: the first message is a ' + first(stream, 0));
console.log('file: the first message is a ' + first(file, 8));
const rows = [file, stream].map(b => arrow.tableFromIPC(b).numRows);
console.log(rows[0] === rows[1] ? `read back: ${rows[0]} rows, from the file and from the stream` : rows);
JS
out=$(node try.js)
echo "$out"
[ "$out" = "stream: the first message is a schema
file: the first message is a batch
read back: 3 rows, from the file and from the stream" ]
