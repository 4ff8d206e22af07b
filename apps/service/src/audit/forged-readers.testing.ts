import { describe, expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seed } from '@caregate/seeded/seed';
import { type LogSource, VerifierKey } from '@caregate/audit-log';
import {
  dataDir,
  Forger,
  forgeries,
  needKept,
  inFolder,
  keyFile,
  openWriter,
  seededDice,
  writeLog,
  type Files,
  type LeftLog,
  type VerifyExport,
  Indexer,
} from '@caregate/audit-log/testing';
import { serviceEvents } from './cli/service-events.ts';
import { exportText, type ExportFormat } from './export/export-text.ts';
import { recordsOf } from './export/records.ts';
import { openOwnLog } from './offline/open-log.ts';
import { FolderAuditTrail } from './trail/folder-audit-trail.ts';
import { indexedMembers } from './record/record-body.ts';
import { teamId } from './record/records.testing.ts';

/** What a reader shows of the log of a data folder. */
type Read = (folder: string, served?: LeftLog) => Promise<string>;

const ofLog =
  (show: (log: LogSource) => Promise<unknown>): Read =>
  async (folder) => {
    const log = openOwnLog(folder);
    try {
      return JSON.stringify(await show(log));
    } finally {
      log.close();
    }
  };
const exported = (format: ExportFormat): Read =>
  ofLog(async (log) => {
    let text = '';
    for await (const piece of exportText([log], { format, filter: {} })) {
      text += piece;
    }
    return text;
  });

/** All that show records to people. */
const readers: Readonly<Record<string, Read>> = {
  'an export as NDJSON, at its verifier': async (folder, { verifierKey, checkpoint } = last) => {
    const file = new URL('../../../../tools/audit-verifier/src/verify.mjs', import.meta.url);
    const { verifyExport } = (await import(fileURLToPath(file))) as { verifyExport: VerifyExport };
    const text = JSON.parse(await exported('ndjson')(folder)) as string;
    const [code] = await verifyExport(text.trimEnd().split('\n'), verifierKey, [checkpoint]);
    return code === 0 ? 'holds' : Promise.reject(new Error('It does not hold'));
  },
  'an export as CSV': exported('csv'),
  'an export as FHIR': exported('fhir'),
  'the list of alarms': ofLog((log) => serviceEvents([log])),
  'what emergency accesses are compared with': ofLog((log) =>
    recordsOf([log], { operations: ['resolveUser'] }),
  ),
  'the page of an auditor, of a service that runs': async (folder, served = last) => {
    const { name } = VerifierKey.parse(served.verifierKey);
    const trail = new FolderAuditTrail(folder, {
      logId: name.slice(-12),
      verifierKey: served.verifierKey,
      checkpoint: () => Promise.resolve(served.checkpoint),
      state: () => ({
        queued: 0,
        latched: false,
        written: 0,
        groups: 0,
        syncMs: { sum: 0, last: 0 },
      }),
    });
    try {
      const { events } = await trail.page({
        filter: { team: teamId },
        from: undefined,
        limit: 1000,
      });
      return events.map(({ seq, body }) => `${seq} ${body}`).join('\n');
    } finally {
      await trail.close();
    }
  },
  'a start': async (folder) => {
    const log = openWriter(folder);
    log.close();
    return await Promise.resolve(String(log.size));
  },
};

function plant(folder: string, files: Files): void {
  rmSync(join(folder, 'audit/records'), { recursive: true, force: true });
  rmSync(join(folder, 'audit/nodes'), { recursive: true, force: true });
  for (const path of [
    'audit/log',
    'audit/checkpoint',
    'audit/held',
    'audit-key.pem',
    'audit-key.pem.next',
  ]) {
    rmSync(join(folder, path), { recursive: true, force: true });
  }
  for (const [path, bytes] of files) {
    const to = join(folder, relative(dataDir, path));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bytes);
  }
}

const states = writeLog(1);
const last = states.at(-1) as LeftLog;
const other = writeLog(2).at(-1) as LeftLog;

/** Tries some ways to forge a log on all that show records, and each of the others on one of them. */
export function areFound(onAll: readonly string[], onOne: readonly string[] = []): void {
  describe.each(Object.entries(readers))('%s', (reader, read) => {
    const at = Object.keys(readers).indexOf(reader);
    const alone = onOne.filter((_, turn) => turn % Object.keys(readers).length === at);
    it('shows all of a log that somebody forged without its key, or an error: each way', async () => {
      const missed: string[] = [];
      await inFolder(async (folder) => {
        plant(folder, last.files);
        const isPage = reader.startsWith('the page');
        if (isPage) {
          const indexer = new Indexer(folder, indexedMembers);
          await indexer.catchUp();
          await indexer.close();
        }
        const index = isPage ? readFileSync(join(folder, 'audit/index.db')) : undefined;
        const shown = await read(folder, last);
        const before: string[] = [];
        for (const state of isPage ? [] : states.slice(0, -1)) {
          plant(folder, state.files);
          before.push(await read(folder, state));
        }
        for (const way of new Set([...onAll, ...alone])) {
          const forger = new Forger(states, other, seededDice(seed));
          forgeries[way]?.(forger);
          // Whoever replaces log and key together passes: only a public key kept elsewhere shows that.
          if (forger.files.get(keyFile)?.equals(last.files.get(keyFile) as Buffer) !== true) {
            continue;
          }
          plant(folder, forger.files);
          if (index !== undefined) {
            writeFileSync(join(folder, 'audit/index.db'), index);
          }
          const said = await read(folder, last).catch(() => undefined);
          const isTrue = said === undefined || said === shown;
          // A start sets a torn end aside, and says so in a record behind what is proved.
          const isSetAside = reader === 'a start' && Number(said) > 0 && way.includes('end');
          if (!isTrue && !isSetAside && !(needKept.includes(way) && before.includes(said))) {
            missed.push(way);
          }
        }
      });
      expect(missed).toEqual([]);
    });
  });
}
