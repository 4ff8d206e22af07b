import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/** 32 MiB and some 100 ms: a stolen table of PINs costs days of a machine each, and an unlock stays within 300 ms. */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const AT_ONCE = 2;
const MOST_WAITING = 64;

export class BusyError extends Error {
  override readonly name = 'BusyError';
}

let running = 0;
const waiting: (() => void)[] = [];

/** scrypt, two at a time, since each takes 32 MiB and a thread. @throws BusyError if 64 are waiting */
async function slowHash(secret: string, salt: Uint8Array): Promise<Buffer> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) {
      throw new BusyError('Too many hashes are waiting');
    }
    // Hand over the place, in order.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await new Promise((resolve, reject) => {
      scrypt(secret, salt, 32, COST, (error, key) => {
        if (error === null) {
          resolve(key);
        } else {
          reject(error);
        }
      });
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) {
      running -= 1;
    } else {
      next();
    }
  }
}

/** @throws BusyError */
export async function matches(
  secret: string,
  { salt, hash }: { readonly salt: Uint8Array; readonly hash: Uint8Array },
): Promise<boolean> {
  return timingSafeEqual(await slowHash(secret, salt), hash);
}

/** @throws BusyError */
export async function newHash(
  secret: string,
): Promise<{ readonly salt: Buffer; readonly hash: Buffer }> {
  const salt = randomBytes(16);
  return { salt, hash: await slowHash(secret, salt) };
}
