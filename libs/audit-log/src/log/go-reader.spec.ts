import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeDisk } from '../disk/node-disk.ts';
import { LogReader } from '../folder/log-reader.ts';
import { inFolder } from '../testing/audit-entry.testing.ts';
import { appendMany, openWriter } from '../testing/folder-log.testing.ts';

const program = fileURLToPath(new URL('../testing/read-tiles.go', import.meta.url));
const packages = '/usr/share/gocode';
const isHere =
  existsSync(join(packages, 'src/golang.org/x/mod/sumdb/tlog')) &&
  spawnSync('go', ['version']).status === 0;
if (!isHere) {
  process.stderr.write(
    'Skipped: Go reads our tiles only where golang-go and golang-golang-x-mod-dev are installed.\n',
  );
}

/** Runs Go's own reader over a folder of tiles and the entries of the log. */
function readByGo(folder: string, key: string, entries: readonly Buffer[]): string {
  const cache = mkdtempSync(join(tmpdir(), 'caregate-go-'));
  try {
    const { stdout, stderr } = spawnSync('go', ['run', program, folder, key], {
      input: entries.map((entry) => `${entry.toString('hex')}\n`).join(''),
      encoding: 'utf8',
      env: { ...process.env, GO111MODULE: 'off', GOPATH: packages, GOCACHE: cache, GOFLAGS: '' },
    });
    return stdout + stderr;
  } finally {
    rmSync(cache, { recursive: true });
  }
}

(isHere ? describe : describe.skip)('golang.org/x/mod/sumdb reads our log', () => {
  it('proves each record and each older tree from the tiles, and finds what was changed', async () => {
    await inFolder(async (dataDir) => {
      const log = openWriter(dataDir);
      appendMany(log, 777);
      const checkpoint = log.checkpoint();
      log.close();
      const reader = new LogReader(nodeDisk, dataDir);
      const { verifierKey } = reader.identity();
      const entries = Array.from({ length: 777 }, (_, seq) => Buffer.from(reader.entry(seq)));
      await inFolder(async (folder) => {
        await reader.writeTiles(checkpoint, folder);
        expect(readByGo(folder, verifierKey, entries)).toBe('ok 777 777\n');
        const others = entries.with(300, entries[301]!);
        expect(readByGo(folder, verifierKey, others)).toContain('record 300');
        const tile = join(folder, 'tile/0/001');
        const bytes = readFileSync(tile);
        bytes[77]! ^= 1;
        writeFileSync(tile, bytes);
        expect(readByGo(folder, verifierKey, entries)).toContain('record 256: invalid');
      });
      reader.close();
    });
  });
});
