// Package jsonvalue reads and writes the objects of JSON that formats of files have for documents. Long values are
// decoded with looks at the context of the load; names are in order; numbers stay as they were written. It knows by
// which members the records of annotation tools differ.
package jsonvalue
