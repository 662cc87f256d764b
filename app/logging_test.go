package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

// A log that nobody reads makes nobody wait.
func TestALogNobodyReadsHoldsNothing(t *testing.T) {
	r, w := io.Pipe()
	p := newPatient(w)
	written := make(chan struct{})
	go func() {
		for range logQueue + 100 {
			_, _ = p.Write([]byte("a record\n"))
		}
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(10 * time.Second):
		t.Fatal("writing waits for the reader")
	}
	all := make(chan string)
	go func() {
		text, _ := io.ReadAll(r)
		all <- string(text)
	}()
	p.close()
	_ = w.Close()
	text := <-all
	if strings.Count(text, "a record") < logQueue || !strings.Contains(text, "log_records_dropped count=") {
		t.Errorf("%d records came through, dropped ones named: %v", strings.Count(text, "a record"), strings.Contains(text, "log_records_dropped"))
	}
}

func TestALogThatSleepsDoesNotHoldTheEnd(t *testing.T) {
	_, w := io.Pipe()
	p := newPatient(w)
	_, _ = p.Write([]byte("a record\n"))
	ended := make(chan struct{})
	go func() { p.close(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the end waits for the reader")
	}
	_ = w.CloseWithError(io.EOF)
}
