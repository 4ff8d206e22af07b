import { Decrypter, Encrypter } from 'age-encryption';
import { createReadStream, openSync, readFileSync, readSync, closeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { syncedBytes, syncGivingWay } from './disk-space.ts';

const firstLine = 'age-encryption.org/v1\n';

export function isAgeFile(file: string): boolean {
  const head = Buffer.alloc(firstLine.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString('latin1') === firstLine;
}

/** @throws OperatorError that has nothing of the recipient in it, which may be a private key by mistake */
export function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const [index, recipient] of recipients.entries()) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      const isSecret = /^AGE-SECRET-KEY-/iu.test(recipient);
      const what = isSecret ? 'a private key, which belongs on no server' : 'no age public key';
      throw new OperatorError(
        `--recipient ${index + 1} is ${what}: give one that begins with age1 (age-keygen -y FILE).`,
        2,
        error,
      );
    }
  }
  return encrypter;
}

export async function encryptTo(
  file: string,
  encrypter: Encrypter,
  plain: AsyncIterable<Uint8Array>,
): Promise<void> {
  const encrypted = await encrypter.encrypt(webStream(Readable.from(plain)));
  const target = await open(file, 'wx', 0o600);
  try {
    let unsynced = 0;
    for await (const chunk of encrypted) {
      await target.appendFile(chunk);
      unsynced += chunk.length;
      if (unsynced >= syncedBytes) {
        syncGivingWay(target.fd);
        unsynced = 0;
      }
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

/** @throws OperatorError if the identities do not fit, or, while it is read, if the file is cut off or damaged */
export async function decrypted(
  file: string,
  identityFile: string,
  onBytes: (done: number) => void,
): Promise<AsyncGenerator<Uint8Array>> {
  const decrypter = decrypterOf(identityFile);
  const encrypted = createReadStream(file, { highWaterMark: 1 << 20 });
  try {
    const plain: AsyncIterable<Uint8Array> = await decrypter.decrypt(webStream(encrypted));
    return chunksOf(plain);
  } catch (error) {
    encrypted.destroy();
    throw new OperatorError(
      `${file} cannot be opened with ${identityFile}: it was encrypted for other keys, or its beginning is damaged.`,
      2,
      error,
    );
  }

  async function* chunksOf(plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of plain) {
        onBytes(encrypted.bytesRead);
        yield chunk;
      }
    } catch (error) {
      throw new OperatorError(`${file} is cut off or damaged: it cannot be decrypted.`, 2, error);
    } finally {
      encrypted.destroy();
    }
  }
}

function decrypterOf(identityFile: string): Decrypter {
  const decrypter = new Decrypter();
  const lines = textOf(identityFile)
    .split(/\r?\n/u)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length === 0) {
    throw new OperatorError(`--identity ${identityFile} has no key.`, 2);
  }
  for (const line of lines) {
    try {
      decrypter.addIdentity(line.trim());
    } catch (error) {
      throw new OperatorError(
        `--identity ${identityFile} has a line that is no age private key (AGE-SECRET-KEY-1…).`,
        2,
        error,
      );
    }
  }
  return decrypter;
}

function textOf(identityFile: string): string {
  try {
    return readFileSync(identityFile, 'utf8');
  } catch (error) {
    const why = `cannot be read (${errorCode(error)})`;
    throw new OperatorError(`--identity ${identityFile} ${why}.`, 2, error);
  }
}

function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}
