// Reads a log that is laid out as C2SP tlog-tiles, with Go's own packages, and shares nothing with the code that wrote it.
//
//	go run read-tiles.go FOLDER VERIFIER-KEY < RECORDS
//
// A line of RECORDS is an entry in hexadecimal, in the order of the log. Prints "ok", the size and how many proofs it checked.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error, what string) {
	if err != nil {
		fmt.Fprintln(os.Stderr, what+": "+err.Error())
		os.Exit(1)
	}
}

// folder serves the tiles of a folder. Go's paths begin with tile/8/, for the height of its tiles; those of C2SP do not.
type folder string

func (f folder) Height() int { return 8 }

func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(tiles))
	for i, tile := range tiles {
		path := "tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
		bytes, err := os.ReadFile(filepath.Join(string(f), path))
		if err != nil {
			return nil, err
		}
		found[i] = bytes
	}
	return found, nil
}

func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

func main() {
	dir, key := os.Args[1], os.Args[2]
	verifier, err := note.NewVerifier(key)
	must(err, "key")
	signed, err := os.ReadFile(filepath.Join(dir, "checkpoint"))
	must(err, "checkpoint")
	opened, err := note.Open(signed, note.VerifierList(verifier))
	must(err, "checkpoint")
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		must(fmt.Errorf("not three lines of this log"), "checkpoint")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err, "size")
	root, err := tlog.ParseHash(lines[2])
	must(err, "root")
	tree := tlog.Tree{N: size, Hash: root}
	reader := tlog.TileHashReader(tree, folder(dir))

	entries := bufio.NewScanner(os.Stdin)
	entries.Buffer(nil, 1<<24)
	var n int64
	for ; entries.Scan(); n++ {
		entry, err := hex.DecodeString(entries.Text())
		must(err, "entry")
		proof, err := tlog.ProveRecord(size, n, reader)
		must(err, fmt.Sprintf("proof of record %d", n))
		must(tlog.CheckRecord(proof, size, root, n, tlog.RecordHash(entry)), fmt.Sprintf("record %d", n))
	}
	must(entries.Err(), "entries")
	if n != size {
		must(fmt.Errorf("%d records, the checkpoint has %d", n, size), "records")
	}
	for older := int64(1); older <= size; older++ {
		then, err := tlog.TreeHash(older, reader)
		must(err, "tree")
		proof, err := tlog.ProveTree(size, older, reader)
		must(err, "tree")
		must(tlog.CheckTree(proof, size, root, older, then), fmt.Sprintf("tree of %d", older))
	}
	fmt.Println("ok", size, n)
}
