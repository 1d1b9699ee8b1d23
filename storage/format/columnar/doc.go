// Package columnar reads and writes files of typed columns, Parquet and Arrow, with the library of the Arrow project,
// as batches of this database.
//
// A file is opened at once and read lazily: Open reads the schema alone, a Scan the columns that it is asked for, group
// of rows by group of rows, some thousand rows at a time. Values come out exactly, or not at all: what a type of this
// database cannot hold is an error that names the column and the row, and a decimal that a FLOAT rounds is counted.
// Lists, structs and maps are JSON.
//
// Files may say anything. Sizes in them are compared with the file and with limits before memory is taken for them,
// what comes out of compressed pages is bounded by what their headers say, and a panic of the library is an error of
// the file.
package columnar
