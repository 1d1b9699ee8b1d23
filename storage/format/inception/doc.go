// Package inception reads and writes projects of INCEpTION and WebAnno, in TSV of version 3 and as XMI of UIMA. Both
// become the same document of spans, arcs and links, which the layers are made of.
package inception
