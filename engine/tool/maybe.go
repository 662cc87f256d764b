package tool

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// Maybe is an argument that may be left out, be null, or have a value: what is
// left out stays as it is, what is null is cleared. Tag it omitzero.
type Maybe[T any] struct {
	Given bool // false when the argument was left out
	Null  bool
	Value T
}

// Some is an argument that has a value.
func Some[T any](value T) Maybe[T] { return Maybe[T]{Given: true, Value: value} }

// Cleared is an argument that is null.
func Cleared[T any]() Maybe[T] { return Maybe[T]{Given: true, Null: true} }

// IsZero reports that the argument was left out.
func (m Maybe[T]) IsZero() bool { return !m.Given }

// MarshalJSON writes the value, or null.
func (m Maybe[T]) MarshalJSON() ([]byte, error) {
	if !m.Given || m.Null {
		return []byte("null"), nil
	}
	return json.Marshal(m.Value)
}

// UnmarshalJSON reads the value, or null.
func (m *Maybe[T]) UnmarshalJSON(raw []byte) error {
	*m = Maybe[T]{Given: true}
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		m.Null = true
		return nil
	}
	return json.Unmarshal(raw, &m.Value)
}

// nullable is any Maybe, to what walks arguments by their types: schemas,
// forms and the checks of text.
type nullable interface {
	inner() reflect.Value
	innerType() reflect.Type
}

func (m *Maybe[T]) inner() reflect.Value { return reflect.ValueOf(&m.Value).Elem() }

func (m *Maybe[T]) innerType() reflect.Type { return reflect.TypeFor[T]() }

// Inner is the type inside a Maybe; false for any other type.
func Inner(t reflect.Type) (reflect.Type, bool) {
	if m, ok := reflect.New(t).Interface().(nullable); ok {
		return m.innerType(), true
	}
	return t, false
}

// maybeOf is the value inside a Maybe, when v is one that can be addressed.
func maybeOf(v reflect.Value) (reflect.Value, bool) {
	if !v.CanAddr() {
		return reflect.Value{}, false
	}
	if m, ok := v.Addr().Interface().(nullable); ok {
		return m.inner(), true
	}
	return reflect.Value{}, false
}
