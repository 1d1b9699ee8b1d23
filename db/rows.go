package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"time"

	"parlance/algo/text"
	"parlance/query/fn/jsonfn"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Column is a column of a result.
type Column struct {
	Name, Type string
	// Members is the type of the members where the column holds arrays that clients of PostgreSQL get as arrays, those
	// of the catalog: text, name or integer. It is empty for other columns.
	Members string
}

// Rows is the rows of a result, read from first to last by one goroutine. It must be closed;
// until then it holds its connection.
type Rows struct {
	ctx     context.Context
	plan    []plan.Column
	columns []Column // of plan, once they are asked for
	tag     string
	batch   *value.Batch
	at      int
	mu      sync.Mutex        // held while what follows is used: closing the database ends rows too
	op      operator.Operator // nil at the end
	err     error
	sent    int64 // rows handed out
	ended   bool
	watched watched
	in      stay
	place   place // of the statement in its script

	prev, next *Rows // of the ring of open ones, under the lock of the database
}

// Columns returns the columns; none for statements without rows.
func (r *Rows) Columns() []Column {
	if r.columns == nil {
		for _, c := range r.plan {
			r.columns = append(r.columns, column(c))
		}
	}
	return r.columns
}

// Fit reports whether the columns have the types of a description that was made before.
func (r *Rows) Fit(d *Description) bool {
	same := len(r.plan) == len(d.types)
	for i := 0; same && i < len(d.types); i++ {
		same = r.plan[i].Type == d.types[i]
	}
	return same
}

// Tag tells what a statement without rows has done.
func (r *Rows) Tag() string { return r.tag }

// Next moves to the next row; false at the end or on an error.
func (r *Rows) Next() bool {
	r.at++
	for r.batch == nil || r.at >= r.batch.N {
		if r.batch = r.NextBatch(); r.batch == nil {
			return false
		}
		r.at = 0
	}
	return true
}

// NextBatch returns the next rows as a batch of columns; nil at the end or on an error. It
// must not be changed.
func (r *Rows) NextBatch() *value.Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.op == nil {
		return nil
	}
	b, err := r.op.Next(r.ctx)
	if b == nil || err != nil {
		r.finish(err)
		return nil
	}
	r.sent += int64(b.N)
	return b
}

// end ends the rows; err is why, if they have not been read to the end.
func (r *Rows) end(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finish(err)
	return r.err
}

// finish closes the operator and frees the connection, once.
func (r *Rows) finish(err error) {
	if r.ended {
		return
	}
	r.ended = true
	in := r.in
	r.in = stay{}               // rows may be kept, but not the file
	defer r.watched.c.leave(in) // whatever those do who are told
	r.watched.c.d.forget(r)
	if r.op != nil {
		err = errors.Join(err, r.op.Close())
		r.op = nil
	}
	r.err = located(wrap(err), r.place)
	r.watched.end(r.sent, r.err)
}

// Err returns the error that ended the rows, if any.
func (r *Rows) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close frees the connection and returns what Err returns. Closing again does nothing.
func (r *Rows) Close() error {
	r.batch = nil
	return r.end(nil)
}

// Values returns the present row; nil without one.
func (r *Rows) Values() []value.Value {
	if r.batch == nil || r.at < 0 || r.at >= r.batch.N {
		return nil
	}
	return r.batch.Row(make([]value.Value, 0, len(r.batch.Cols)), r.at)
}

// Scan stores the present row: into pointers to Go types, *any, *value.Value, sql.Scanner, or
// pointers to pointers, which become nil for NULL. NULL into another type is an error. Arrays and JSON go into slices,
// maps and structs as package json reads them, or as text into strings and []byte.
func (r *Rows) Scan(dst ...any) error {
	if r.batch == nil || r.at < 0 || r.at >= r.batch.N {
		return &Error{Code: "24000", Message: "scan: there is no row", Hint: "call Next first"}
	}
	if len(dst) != len(r.batch.Cols) {
		return &Error{Code: "42804", Message: text.Countf("scan: %d destinations for %d {column|columns}", len(dst),
			len(r.batch.Cols))}
	}
	for i, d := range dst {
		if err := assign(d, r.batch.Cols[i].At(r.at)); err != nil {
			return &Error{Code: "42804", Message: fmt.Sprintf("scan: column %s: %v", r.plan[i].Name, err), err: err}
		}
	}
	return nil
}

func assign(dst any, v value.Value) error {
	switch d := dst.(type) {
	case *value.Value:
		*d = v
		return nil
	case *any:
		*d = v.Interface()
		return nil
	case sql.Scanner:
		return d.Scan(v.Interface())
	}
	p := reflect.ValueOf(dst)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fmt.Errorf("a pointer is wanted, not %T", dst)
	}
	return assignTo(p.Elem(), v)
}

func assignTo(e reflect.Value, v value.Value) error {
	if e.Kind() == reflect.Pointer {
		if v.IsNull() {
			e.SetZero()
			return nil
		}
		fresh := reflect.New(e.Type().Elem())
		if err := assignTo(fresh.Elem(), v); err != nil {
			return err
		}
		e.Set(fresh)
		return nil
	}
	if v.IsNull() {
		return fmt.Errorf("it is NULL; scan into a pointer to %s", e.Type())
	}
	x := reflect.ValueOf(v.Interface())
	switch e.Kind() {
	case reflect.String:
		e.SetString(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.T != value.Integer || e.OverflowInt(v.Int()) {
			return fmt.Errorf("%s does not fit into %s", v.T, e.Type())
		}
		e.SetInt(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.T != value.Integer || v.Int() < 0 || e.OverflowUint(uint64(v.Int())) {
			return fmt.Errorf("%s does not fit into %s", v.T, e.Type())
		}
		e.SetUint(uint64(v.Int()))
	case reflect.Float32, reflect.Float64:
		if v.T != value.Integer && v.T != value.Float || e.OverflowFloat(v.Float()) {
			return fmt.Errorf("%s does not fit into %s", v.T, e.Type())
		}
		e.SetFloat(v.Float())
	case reflect.Bool:
		if v.T != value.Boolean {
			return fmt.Errorf("%s does not fit into %s", v.T, e.Type())
		}
		e.SetBool(v.Bool())
	default:
		if (v.T == value.Text || v.T == value.JSON) && e.Kind() == reflect.Slice && e.Type().Elem().Kind() == reflect.Uint8 {
			e.SetBytes([]byte(v.S))
			return nil
		}
		if v.T == value.JSON && !x.Type().AssignableTo(e.Type()) {
			return decode(e, v.S)
		}
		if !x.Type().AssignableTo(e.Type()) {
			return fmt.Errorf("%s does not fit into %s", v.T, e.Type())
		}
		e.Set(x)
	}
	return nil
}

// decode stores an array or a value of JSON in a slice, map or struct, as package json does.
func decode(e reflect.Value, text string) error {
	fresh := reflect.New(e.Type()) // so that nothing of an earlier row stays
	if err := json.Unmarshal([]byte(text), fresh.Interface()); err != nil {
		return fmt.Errorf("it does not fit into %s: %w", e.Type(), err)
	}
	e.Set(fresh.Elem())
	return nil
}

// values turns arguments of Go types into parameters.
func values(args []any) ([]value.Value, error) {
	out := make([]value.Value, len(args))
	for i, a := range args {
		v, err := param(a)
		if err != nil {
			code := "22023"
			if errors.Is(err, value.ErrNotText) {
				code = "22021"
			}
			return nil, &Error{Code: code, Message: shortened(fmt.Sprintf("parameter $%d: %v", i+1, err)), err: err}
		}
		out[i] = v
	}
	return out, nil
}

// param converts an argument of a program to a value.
func param(a any) (value.Value, error) {
	switch a := a.(type) {
	case nil:
		return value.Value{}, nil
	case value.Value:
		return a, nil
	case string:
		return value.Str(a), value.CheckText(a)
	case bool:
		return value.Bool(a), nil
	case time.Time:
		return value.Time(a), nil
	case []byte:
		return value.Blob(a), nil
	case []float32:
		return value.Vec32(a), nil
	case json.RawMessage:
		if a == nil {
			return value.Value{}, nil
		}
		if err := value.CheckText(string(a)); err != nil {
			return value.Value{}, err
		}
		return value.Cast(value.Str(string(a)), value.JSON)
	case driver.Valuer: // such as sql.NullString
		if p := reflect.ValueOf(a); p.Kind() == reflect.Pointer && p.IsNil() {
			return value.Value{}, nil
		}
		v, err := a.Value()
		if err != nil {
			return value.Value{}, err
		}
		if _, again := v.(driver.Valuer); !again {
			return param(v)
		}
	}
	return reflectedParam(a)
}

// reflectedParam converts a parameter by the kind of its type.
func reflectedParam(a any) (value.Value, error) {
	v := reflect.ValueOf(a)
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.Int(v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxInt64 {
			return value.Value{}, fmt.Errorf("%d is too large", v.Uint())
		}
		return value.Int(int64(v.Uint())), nil
	case reflect.Float32, reflect.Float64:
		return value.Real(v.Float()), nil
	case reflect.String:
		return value.Str(v.String()), value.CheckText(v.String())
	case reflect.Bool:
		return value.Bool(v.Bool()), nil
	case reflect.Pointer:
		if v.IsNil() {
			return value.Value{}, nil
		}
		return param(v.Elem().Interface())
	case reflect.Slice, reflect.Array:
		return arrayParam(v)
	}
	return value.Value{}, fmt.Errorf("the type %T is not supported", a)
}

// arrayParam makes an array of the elements of a slice; nil is NULL.
func arrayParam(v reflect.Value) (value.Value, error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return value.Value{}, nil
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return value.Blob(v.Bytes()), nil
	}
	items := make([]value.Value, v.Len())
	for i := range items {
		var err error
		if items[i], err = param(v.Index(i).Interface()); err != nil {
			return value.Value{}, err
		}
	}
	return jsonfn.Array(items)
}
