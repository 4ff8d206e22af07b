import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { nodeDisk } from '../../disk/node-disk.ts';
import { AuditLogError } from '../../errors.ts';
import { inFolder } from '../../testing/audit-entry.testing.ts';
import { writeSigned } from '../../testing/folder-log.testing.ts';
import { isBeingWritten } from './folder-lock.ts';
import { logPaths } from '../layout.ts';
import { openLocked } from '../locked-log.ts';

const onUnix = process.platform === 'win32' ? it.skip : it;

const plant = {
  'a pipe': (path: string) => execFileSync('mkfifo', [path]),
  'a symbolic link': (path: string) => {
    symlinkSync('/dev/zero', path);
  },
  'a folder': (path: string) => {
    mkdirSync(path);
  },
  'a file': (path: string) => {
    writeFileSync(path, '');
  },
} as const;

const first = 'records/000000000000000';
const folders = ['records', 'nodes', 'held'];
const files = ['log', 'checkpoint', first, 'index.db', 'lock.db'];
const others = ['unfinished'];
const onlyUnix = process.platform === 'win32' ? [] : (['a pipe', 'a symbolic link'] as const);
const replaced: readonly (readonly [part: string, kind: keyof typeof plant])[] = [
  ...[...folders, ...files, ...others].flatMap((part) =>
    onlyUnix.map((kind) => [part, kind] as const),
  ),
  ...['log', 'checkpoint', first, 'lock.db', 'socket'].map((part) => [part, 'a folder'] as const),
  ...['', ...folders].map((part) => [part, 'a file'] as const),
];

function open(folder: string): void {
  openLocked({
    dataDir: folder,
    host: 'clinic.example',
    busyTimeoutMs: 100,
  }).close();
}

function write(folder: string): void {
  open(folder);
  writeSigned(folder, 300);
}

describe('what stands in place of a part of a log', () => {
  it.each(replaced)('audit/%s is %s: refused, and nothing waits for it', async (part, kind) => {
    await inFolder((folder) => {
      write(folder);
      const path = join(folder, 'audit', part);
      rmSync(path, { recursive: true, force: true });
      plant[kind](path);
      const said = `${path} is ${kind}; expected a`;
      expect(() => {
        open(folder);
      }).toThrow(said);
      expect(() => isBeingWritten(logPaths(folder))).toThrow(said);
    });
  });

  onUnix('audit is a link to the log: refused, since another folder has it', async () => {
    await inFolder((folder) => {
      write(folder);
      renameSync(join(folder, 'audit'), join(folder, 'elsewhere'));
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'audit'));
      expect(() => {
        open(folder);
      }).toThrow(`${join(folder, 'audit')} is a symbolic link; expected a folder.`);
    });
  });

  onUnix.each(['audit/nodes/0/0', 'audit-key.pem'])(
    '%s is a pipe: refused where it is read',
    async (part) => {
      await inFolder((folder) => {
        write(folder);
        rmSync(join(folder, part));
        execFileSync('mkfifo', [join(folder, part)]);
        expect(() => {
          open(folder);
        }).toThrow(AuditLogError);
        expect(() => nodeDisk.read(join(folder, part))).toThrow('is a pipe; expected a file.');
        expect(() => nodeDisk.open(join(folder, part))).toThrow('is a pipe; expected a file.');
      });
    },
  );

  onUnix('the socket of a running service is what it is to be', async () => {
    await inFolder(async (folder) => {
      write(folder);
      const server = createServer().listen(join(folder, 'audit/socket'));
      await new Promise((listening) => server.once('listening', listening));
      open(folder);
      await new Promise((closed) => server.close(closed));
    });
  });
});
