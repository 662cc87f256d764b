//go:build !bench

package main

// asked runs what the benchmarks start this binary for: nothing, in tests.
func asked([]string) bool { return false }
