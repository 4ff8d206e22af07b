import { describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../disk/node-disk.ts';
import { ownText } from '../entry/record-text.ts';
import { AuditLogError, AuditUnavailableError } from '../errors.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry, inFolder, parsed } from '../testing/audit-entry.testing.ts';
import { bodiesIn, withReader } from '../testing/folder-log.testing.ts';
import { verifyFolderOn } from '../verify/verify-folder.ts';
import { openAuditLog } from './open-audit-log.ts';
import { recordActs, rotateKey } from './record-acts.ts';

const act = auditEntry({ operation: 'createKey' });

function validate(text: string): void {
  if (parsed(text).operation === 'refused') {
    throw new AuditLogError('refused');
  }
}

async function withLog(use: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const log = await openAuditLog(folder, { validate });
    try {
      await log.record(act);
      await use(folder);
    } finally {
      await log.close();
    }
  });
}

/** Says one line, as the process that writes would. */
function say(folder: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(join(folder, 'audit/socket'), () => {
      socket.write(`${line}\n`);
    });
    socket.on('data', (answer: Buffer) => {
      resolve(answer.toString());
    });
    socket.on('error', reject);
  });
}

/** Answers each act with this text, or ends the connection, at the place where a command looks. */
async function listening(
  path: string,
  answer: string | undefined,
  use: () => Promise<void>,
): Promise<void> {
  const heard: string[] = [];
  const server: Server = createServer((socket) => {
    socket.on('data', (line: Buffer) => {
      heard.push(line.toString());
      socket.end(answer === undefined ? '' : `${JSON.stringify({ checkpoint: answer })}\n`);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  try {
    await use();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('the socket of a log', () => {
  it.each([
    '{"texts":[{}]}',
    '{"texts":[null]}',
    '{"texts":{}}',
    '{}',
    'null',
    '[]',
    JSON.stringify({ texts: ['not JSON'] }),
    JSON.stringify({ texts: [`${act}\n`] }),
    JSON.stringify({ texts: [act, auditEntry({ operation: 'refused' })] }),
    JSON.stringify({ texts: [ownText({ operation: 'newAuditLog', details: {} })] }),
  ])('records nothing for %s, and goes on', async (line) => {
    await withLog(async (folder) => {
      await say(folder, line);
      await recordActs(folder, [act]);
      expect(bodiesIn(folder).map(({ operation }) => operation)).toEqual([
        'createKey',
        'createKey',
      ]);
    });
  });
});

describe('an impostor', () => {
  const notes = (own: string): readonly (readonly [string, string])[] => [
    ['nothing like a note', 'x\n99\n'],
    ['the checkpoint from before', own],
  ];
  it.each([0, 1])('who listens at the socket is not believed: answer %d', async (which) => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await log.record(act);
      await log.close();
      const own = withReader(folder, (reader) => reader.checkpoint());
      const [, answer] = notes(own)[which] as readonly [string, string];
      await listening(join(folder, 'audit/socket'), answer, async () => {
        await expect(recordActs(folder, [act])).rejects.toThrow(AuditLogError);
      });
    });
  });

  it('who ends the connection without an answer may have recorded it', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await log.record(act);
      await log.close();
      await listening(join(folder, 'audit/socket'), undefined, async () => {
        await expect(recordActs(folder, [act])).rejects.toThrow(AuditUnavailableError);
        await expect(rotateKey(folder, 'amara')).rejects.toThrow('either key may sign');
      });
    });
  });

  it('is told nothing in a folder that others can enter', async () => {
    await inFolder(async (folder) => {
      const deep = join(folder, 'd'.repeat(120));
      mkdirSync(deep);
      const log = await openAuditLog(deep);
      await log.record(act);
      await log.close();
      const address = join(folder, 's', 'socket');
      mkdirSync(dirname(address));
      chmodSync(dirname(address), 0o755);
      writeFileSync(join(deep, 'audit/socket-path'), address);
      await listening(address, 'x\n99\n', async () => {
        await recordActs(deep, [act]);
      });
      expect(bodiesIn(deep)).toHaveLength(2);
    });
  });
});

describe('two that write one log, where its lock and socket were removed', () => {
  it('write over nothing of each other', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await log.record(act);
      rmSync(join(folder, 'audit/lock.db'));
      renameSync(join(folder, 'audit/socket'), join(folder, 'away'));
      await recordActs(folder, [auditEntry({ operation: 'importStarted' })]);
      await expect(log.record(act)).rejects.toThrow(AuditUnavailableError);
      while (log.state().latched) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await log.record(auditEntry({ operation: 'backup' }));
      await log.close();
      expect(bodiesIn(folder).map(({ operation }) => operation)).toEqual([
        'createKey',
        'importStarted',
        'backup',
      ]);
      const key = VerifierKey.parse(log.verifierKey);
      expect(await verifyFolderOn(nodeDisk, folder, { key })).toMatchObject({ size: 3 });
    });
  });
});
