//go:build bench

package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

// benchStreams is the other process of the streams' benchmark: it opens so
// many streams, says when all are open, and when each has heard a change.
func benchStreams(address, token, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	var open, heard sync.WaitGroup
	open.Add(n)
	heard.Add(n)
	failed := make(chan error, n)
	slots := make(chan struct{}, 100)
	for range n {
		slots <- struct{}{}
		go func() {
			if err := follow(address, token, func() { open.Done(); <-slots }); err != nil {
				failed <- err
				return
			}
			heard.Done()
		}()
	}
	said := make(chan struct{})
	go func() {
		open.Wait()
		fmt.Println("connected")
		heard.Wait()
		fmt.Println("heard")
		close(said)
	}()
	select {
	case err := <-failed:
		return err
	case <-said:
		return nil
	}
}

func follow(address, token string, opened func()) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	if _, err := fmt.Fprintf(c, "GET /live?topics=secrets HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", address, token); err != nil {
		return err
	}
	r := bufio.NewReaderSize(c, 512)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(line, "HTTP/1.1 ") && !strings.HasPrefix(line, "HTTP/1.1 200"):
			return fmt.Errorf("a stream was answered %s", line)
		case strings.HasPrefix(line, "retry:"):
			opened()
		case strings.HasPrefix(line, "event: change"):
			return nil
		}
	}
}

// asked runs what the benchmarks start this binary for.
func asked(args []string) bool {
	var err error
	switch {
	case len(args) == 5 && args[1] == "bench-streams":
		err = benchStreams(args[2], args[3], args[4])
	case len(args) == 3 && args[1] == "bench-server":
		err = benchServer(args[2])
	default:
		return false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}
