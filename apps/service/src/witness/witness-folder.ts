import { createPrivateKey, randomBytes, type KeyObject } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Cosigner, logPaths, syncFolder } from '@caregate/audit-log';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { makeFolder } from '../database/sqlite/make-folder.ts';

const keyFile = 'witness-key.pem';

/** Reads or creates the keys of the witness: one file, a line with its name and each key in PEM. @throws OperatorError */
export function openCosigners(dataDir: string, name: string | undefined): readonly Cosigner[] {
  if (existsSync(logPaths(dataDir).ownKey)) {
    throw new OperatorError(
      `${dataDir} is the data folder of a service. A witness belongs on another machine, in a folder of its own: whoever can change the log must not have the witness's key.`,
      2,
    );
  }
  makeFolder(dataDir);
  const path = resolve(join(dataDir, keyFile));
  const cosigners = readCosigners(path) ?? makeCosigners(path, name ?? newName());
  const own = cosigners[0]?.name;
  if (name !== undefined && name !== own) {
    throw new OperatorError(
      `The witness in ${dataDir} is named ${String(own)}. Its name is part of its key and cannot be changed; use a new folder.`,
      2,
    );
  }
  return cosigners;
}

/** Excludes other processes until `close` or the end of the process. @throws OperatorError */
export function lockWitness(dataDir: string): { close(): void } {
  const folder = join(dataDir, 'witness');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    throw new OperatorError(
      `Another process is the witness of ${dataDir}. Two would cosign checkpoints that are not consistent.`,
      1,
      error,
    );
  }
}

function newName(): string {
  return `${hostname()}/witness/${randomBytes(4).toString('hex')}`;
}

function readCosigners(path: string): readonly Cosigner[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  const [, name = ''] = /^witness (.+)\n/u.exec(text) ?? [];
  const keys = text.match(/-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/gu) ?? [];
  if (!Cosigner.isName(name) || keys.length === 0) {
    throw new OperatorError(`${path} is not the key of a witness.`);
  }
  return keys.map((pem) => new Cosigner(name, parse(pem, path)));
}

function parse(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new OperatorError(`${path} is damaged: it has a key that cannot be read.`, 1, error);
  }
}

function makeCosigners(path: string, name: string): readonly Cosigner[] {
  if (!Cosigner.isName(name)) {
    throw new OperatorError(
      'The name of a witness is at most 255 bytes, without spaces and plus signs, such as second.example/witness.',
      2,
    );
  }
  const pems = Cosigner.make(name).map(({ key }) => key.export({ type: 'pkcs8', format: 'pem' }));
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  const options = { mode: 0o600, flag: 'wx', flush: true };
  writeFileSync(draft, `witness ${name}\n${pems.join('')}`, options);
  try {
    // If two processes start at the same time, the second uses the first one's keys.
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw error;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
  return readCosigners(path) ?? [];
}
