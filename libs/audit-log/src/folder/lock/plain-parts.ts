import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { kindOf } from '../../disk/node-disk.ts';
import { AuditLogError } from '../../errors.ts';
import type { LogPaths } from '../layout.ts';

const folders = new Set(['records', 'nodes', 'held']);
const files = /^(?:log|checkpoint|unfinished|socket-path|(?:index|lock)\.db.*)$/u;
const segment = /^\d{15}$/u;

/** Opening a pipe would block, and a link leads out of the data folder. @throws AuditLogError naming the first other part */
export function requirePlainParts(paths: LogPaths): void {
  requireKind(paths.audit, 'a folder');
  for (const name of namesIn(paths.audit)) {
    if (folders.has(name)) {
      requireKind(join(paths.audit, name), 'a folder');
    } else if (name === 'socket') {
      requireKind(join(paths.audit, name), 'a socket');
    } else if (files.test(name)) {
      requireKind(join(paths.audit, name), 'a file');
    }
  }
  for (const name of namesIn(paths.records).filter((one) => segment.test(one))) {
    requireKind(join(paths.records, name), 'a file');
  }
}

function namesIn(folder: string): string[] {
  return lstatSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
}

function requireKind(path: string, wanted: 'a file' | 'a folder' | 'a socket'): void {
  const found: Stats | undefined = lstatSync(path, { throwIfNoEntry: false });
  const kind = found && kindOf(found);
  if (kind !== undefined && kind !== wanted) {
    throw new AuditLogError(
      `${path} is ${kind}; expected ${wanted}. The audit log must be in plain files of the data folder itself: move ${basename(path)} away, and put back what was there.`,
    );
  }
}
