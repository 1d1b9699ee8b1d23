// Package table reads and writes records with columns, which may be rows of tables or documents: separated values, JSON
// lines, the rows of PostgreSQL's COPY, and the typed columns of Parquet and Arrow. Open gives the rows of such a file
// to a query.
package table
