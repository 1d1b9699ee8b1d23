package driver

import (
	"database/sql/driver"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"time"

	"parlance/db"
	"parlance/storage/value"
)

// rows are the rows of a statement.
type rows struct {
	c     *Conn
	r     *db.Rows
	batch *value.Batch
	at    int // the next row of the batch
}

var _ interface {
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypeScanType
} = (*rows)(nil)

func (r *rows) Columns() []string {
	out := make([]string, len(r.r.Columns()))
	for i, c := range r.r.Columns() {
		out[i] = c.Name
	}
	return out
}

func (r *rows) Close() error {
	r.batch = nil
	return r.c.seen(r.r.Close())
}

func (r *rows) Next(dst []driver.Value) error {
	for r.batch == nil || r.at >= r.batch.N {
		if r.batch, r.at = r.r.NextBatch(), 0; r.batch != nil {
			continue
		}
		if err := r.r.Err(); err != nil {
			return r.c.seen(err)
		}
		return io.EOF
	}
	for i := range dst {
		dst[i] = goValue(r.batch.Cols[i].At(r.at))
	}
	r.at++
	return nil
}

// goValue is a value as database/sql hands it on. JSON is bytes, for json.RawMessage takes them.
func goValue(v value.Value) driver.Value {
	if v.T == value.JSON {
		return []byte(v.S)
	}
	return v.Interface()
}

// ColumnTypeDatabaseTypeName is the name of the type in capitals.
func (r *rows) ColumnTypeDatabaseTypeName(i int) string {
	return strings.ToUpper(r.r.Columns()[i].Type)
}

// ColumnTypeNullable is always true: every column may hold NULL.
func (r *rows) ColumnTypeNullable(int) (nullable, ok bool) { return true, true }

// scanTypes are the Go types that hold the values of a type, NULL apart.
var scanTypes = map[string]reflect.Type{
	"text": reflect.TypeFor[string](), "integer": reflect.TypeFor[int64](), "float": reflect.TypeFor[float64](),
	"boolean":   reflect.TypeFor[bool](),
	"timestamp": reflect.TypeFor[time.Time](), "bytes": reflect.TypeFor[[]byte](), "vector": reflect.TypeFor[[]float32](),
	"json": reflect.TypeFor[json.RawMessage](),
}

func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	if t, ok := scanTypes[r.r.Columns()[i].Type]; ok {
		return t
	}
	return reflect.TypeFor[any]()
}
