import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LogSource } from '@caregate/audit-log';
import { Command } from 'commander';
import { OperatorError } from '../../config/operator-error.ts';
import { inFolder, logOfDatabase } from '../../audit/offline/open-log.ts';
import { recorded, type LogFlags } from './audit-recorded.ts';
import { output } from '../start/run-command.ts';
import { auditWork, onDatabase, withLog } from './audit-work.ts';

const help = `
The folder is laid out as C2SP tlog-tiles: a file \`checkpoint\` and hash tiles, partial ones too. It can be served by any
web server and read by the tools of others, such as golang.org/x/mod/sumdb. It has hashes alone, no records.

Writing it is recorded in the log.`;

interface Flags extends LogFlags {
  readonly out: string;
}

export function auditTilesCommand(): Command {
  return withLog(new Command('tiles'))
    .summary('write the signed checkpoint and the hash tiles of its tree (C2SP tlog-tiles)')
    .requiredOption('--out <folder>', 'output folder; must not exist')
    .addHelpText('after', help)
    .action((flags: Flags) =>
      auditWork(async (progress) => {
        const folder = newFolder(flags.out);
        await recorded(flags.data, 'exportTiles');
        const write = async (log: LogSource, checkpoint: string): Promise<void> => {
          await log.writeTiles(checkpoint, folder, (done, of) => {
            progress.draw('tiles', done, of);
          });
        };
        await onDatabase(
          async (pool) => {
            const log = await logOfDatabase(pool, flags.log);
            await write(log, await log.checkpoint());
          },
          () =>
            inFolder(flags.data, async (log) => {
              await write(log, log.checkpoint());
            }),
        );
        return output({ folder }, '');
      }),
    );
}

function newFolder(path: string): string {
  const folder = resolve(path);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    const { code = 'it cannot be made' } = error as NodeJS.ErrnoException;
    const known: Readonly<Record<string, string>> = {
      EEXIST: 'exists already',
      ENOENT: 'there is no folder to make it in',
    };
    throw new OperatorError(`--out ${folder}: ${known[code] ?? code}.`, 1, error);
  }
}
