import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { nodeDisk } from '../disk/node-disk.ts';
import { requireText } from '../entry/record-text.ts';
import { AuditLogError, AuditUnavailableError } from '../errors.ts';
import { logPaths } from '../folder/layout.ts';
import { readLogFile } from '../folder/log-file.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import type { AuditLogOptions } from './audit-log.ts';
import type { Writer } from './audit-writer.ts';

/** Of `sun_path` on macOS, the shortest. */
const longestPath = 103;
/** A command's acts are few and small. */
const mostBytes = 16 * 2 ** 20;

/** A sync of a slow disk takes seconds. */
const longestWaitMs = 60_000;

/** Records to write, or the actor who replaces the signing key. */
export type ActRequest = { readonly texts: readonly string[] } | { readonly rotate: string };

/** `unsure`: it may be in the log all the same. */
type Answer =
  | { readonly checkpoint: string }
  | { readonly error: string; readonly unsure: boolean };

/** One line each way per connection. Call in the process that holds the lock. */
export async function serveActs(
  dataDir: string,
  log: Writer,
  validate: AuditLogOptions['validate'] = JSON.parse,
): Promise<{ close(): Promise<void> }> {
  const path = makeAddress(dataDir);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    answerOne(socket, log, validate);
  });
  await once(server.listen(path), 'listening');
  server.unref();
  if (process.platform !== 'win32') {
    chmodSync(path, 0o600);
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          removeAddress(dataDir, path);
          resolve();
        });
        // A pending request still gets its answer.
        sockets.forEach((socket) => socket.end());
      }),
  };
}

/**
 * Returns the checkpoint over the acts; undefined if no process listens.
 *
 * @throws AuditLogError if it can't record them, AuditUnavailableError if it may have
 */
export async function sendActs(dataDir: string, request: ActRequest): Promise<string | undefined> {
  const before = signedSize(dataDir);
  const socket = await connect(trustedAddress(dataDir));
  if (socket === undefined) {
    return undefined;
  }
  // A hanging process must not block this one.
  socket.setTimeout(longestWaitMs, () => socket.destroy());
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    const answer = JSON.parse(await firstLine(socket)) as Answer;
    if ('error' in answer) {
      throw answer.unsure
        ? new AuditUnavailableError(answer.error, 1)
        : new AuditLogError(answer.error);
    }
    const records = 'texts' in request ? request.texts.length : 1;
    if (signedSize(dataDir, answer.checkpoint) < before + records) {
      throw new AuditLogError('The answer does not cover what was to be recorded');
    }
    return answer.checkpoint;
  } finally {
    socket.destroy();
  }
}

/** 0 without a checkpoint. @throws BadCheckpointError if the log's key did not sign it: the responder is not its writer */
function signedSize(dataDir: string, checkpoint?: string): number {
  const paths = logPaths(dataDir);
  const identity = readLogFile(nodeDisk, paths);
  const note = checkpoint ?? nodeDisk.read(paths.checkpoint)?.toString();
  return identity === undefined || note === undefined
    ? 0
    : VerifierKey.parse(identity.verifierKey).open(note).size;
}

function answerOne(socket: Socket, log: Writer, validate: (text: string) => void): void {
  firstLine(socket)
    .then(async (line) => {
      const { texts, rotate } = JSON.parse(line) as Record<'texts' | 'rotate', unknown>;
      if (typeof rotate === 'string') {
        return { checkpoint: await log.rotateKey(rotate) };
      }
      const checked = (texts as readonly unknown[]).map(requireText);
      for (const text of checked) {
        validate(text);
      }
      await Promise.all(checked.map((text) => log.record(text)));
      return { checkpoint: await log.checkpoint() };
    })
    .catch((error: unknown) => ({
      error: error instanceof Error ? error.message : 'The act can not be recorded',
      unsure: error instanceof AuditUnavailableError && !error.isRefused,
    }))
    .then((answer: Answer) => {
      socket.end(`${JSON.stringify(answer)}\n`);
    })
    .catch(() => socket.destroy());
}

function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const gone = (): void => {
      reject(
        new AuditUnavailableError(
          'The connection to the process that writes the audit log ended',
          1,
        ),
      );
    };
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length > mostBytes) {
        socket.destroy();
      } else if (part.includes(0x0a)) {
        resolve(Buffer.concat(parts).toString());
      }
    });
    socket.on('close', gone);
    socket.on('end', gone);
    socket.on('error', gone);
  });
}

/** Undefined if none listens, or a killed process left the socket. */
async function connect(path: string | undefined): Promise<Socket | undefined> {
  if (path === undefined) {
    return undefined;
  }
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return undefined;
  }
}

/** Names the socket in the temporary folder if the usual path is too long. */
function namedIn(dataDir: string): string {
  return `${logPaths(dataDir).socket}-path`;
}

/** Undefined if another user may listen there. */
function trustedAddress(dataDir: string): string | undefined {
  const path = addressOf(dataDir);
  if (path === undefined || path === usualAddress(dataDir)) {
    return path;
  }
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  const isOurs =
    folder?.isDirectory() === true &&
    folder.uid === statSync(dataDir).uid &&
    (folder.mode & 0o077) === 0;
  return isOurs ? path : undefined;
}

function makeAddress(dataDir: string): string {
  const usual = usualAddress(dataDir);
  if (process.platform === 'win32') {
    return usual;
  }
  const before = addressOf(dataDir);
  if (before !== undefined) {
    removeAddress(dataDir, before);
  }
  if (Buffer.byteLength(usual) <= longestPath) {
    return usual;
  }
  const short = join(mkdtempSync(shortPrefix()), 'socket');
  writeFileSync(namedIn(dataDir), short, { mode: 0o600 });
  return short;
}

function addressOf(dataDir: string): string | undefined {
  const usual = usualAddress(dataDir);
  if (process.platform === 'win32' || Buffer.byteLength(usual) <= longestPath) {
    return usual;
  }
  try {
    return readFileSync(namedIn(dataDir), 'utf8');
  } catch {
    return undefined;
  }
}

function usualAddress(dataDir: string): string {
  const { socket } = logPaths(dataDir);
  const digest = createHash('sha256').update(socket).digest('hex').slice(0, 32);
  return process.platform === 'win32' ? `\\\\.\\pipe\\caregate-audit-${digest}` : socket;
}

function removeAddress(dataDir: string, path: string): void {
  if (process.platform === 'win32') {
    return;
  }
  const isUsual = path === usualAddress(dataDir);
  // Remove only what we created, whatever the file says.
  const isOurs = resolve(path) === path && path.startsWith(shortPrefix());
  if (isUsual || (isOurs && basename(path) === 'socket')) {
    rmSync(path, { force: true });
  }
  if (!isUsual) {
    rmSync(namedIn(dataDir), { force: true });
  }
}

function shortPrefix(): string {
  return join(tmpdir(), 'caregate-socket-');
}
