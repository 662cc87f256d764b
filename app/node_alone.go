package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"crewlet/engine/servers"
	"crewlet/mcp/client"
)

// stands is the abstract address that a node holds while it serves: the kernel
// gives it to one program at a time and takes it back when that one is gone,
// however it ended. A lock on a file in the data folder would be copied along
// with the folder.
func stands(id string) *net.UnixAddr { return &net.UnixAddr{Net: "unix", Name: "@crewlet-node-" + id} }

// stand holds the node on this machine; place is where that holds, "" when it
// is not known. It errs with servers.ErrTaken when another program holds it.
func stand(id string) (held *net.UnixListener, place string, err error) {
	held, err = net.ListenUnix("unix", stands(id))
	if errors.Is(err, unix.EADDRINUSE) {
		return nil, "", fmt.Errorf("%w on this machine%s", servers.ErrTaken, whoStands(id))
	}
	if err != nil {
		return nil, "", fmt.Errorf("hold this node on this machine: %w", err)
	}
	return held, here(), nil
}

// whoStands names the process that holds the node, as far as it can be told.
func whoStands(id string) string {
	c, err := net.DialTimeout("unix", stands(id).Name, time.Second)
	if err != nil {
		return ""
	}
	defer func() { _ = c.Close() }()
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		return ""
	}
	var who *unix.Ucred
	if raw.Control(func(fd uintptr) { who, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }) != nil || err != nil || who.Pid == 0 {
		return ""
	}
	return fmt.Sprintf(", process %d", who.Pid)
}

// here is this boot of the machine and the network namespace, in which abstract
// addresses are told apart.
func here() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + "/" + space
}

// stand makes this program the only one on this machine that serves as the
// node, before it opens anything.
func (n *machine) stand() error {
	held, place, err := stand(n.self.ID)
	if err != nil {
		return n.taken(err)
	}
	n.alone = held
	if n.self.Run = uuid.NewString(); place != "" {
		n.self.Run = place + "/" + n.self.Run
	}
	return nil
}

// claim makes this program the only one on all machines that serves as it.
func (n *machine) claim(ctx context.Context) error {
	return n.taken(servers.Claim(ctx, servers.Claiming{
		DB: n.db, Clock: client.SystemClock(), Log: n.log, Node: n.self, Sole: n.settings.DatabaseURL == "",
	}))
}

// taken adds to the news that another program serves as this node what to do.
func (n *machine) taken(err error) error {
	if !errors.Is(err, servers.ErrTaken) {
		return err
	}
	return fmt.Errorf("%w. If this data folder is a copy of that one's, remove %s and start again: this node is given an id of its own. Else stop the other program first",
		err, filepath.Join(n.settings.Data, "node"))
}
