import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { OperatorError } from '../../config/operator-error.ts';

/** Environment variable for the admin key; never on the command line, which other users can read. */
export const ADMIN_KEY = 'CAREGATE_ADMIN_KEY';

/** @throws OperatorError if none is given */
export async function readAdminKey(): Promise<string> {
  const given = process.env[ADMIN_KEY]?.trim() ?? '';
  const key = given === '' ? (await readSecretLine('Admin key: ')).trim() : given;
  if (key === '') {
    throw new OperatorError(`No admin key: set ${ADMIN_KEY} or pass it on standard input.`);
  }
  return key;
}

/** First line of standard input; a terminal shows the prompt and does not echo. */
export async function readSecretLine(prompt: string): Promise<string> {
  const { stdin } = process;
  const nowhere = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  if (stdin.isTTY) {
    process.stderr.write(prompt);
  }
  const input = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY });
  try {
    for await (const line of input) {
      return line;
    }
    return '';
  } finally {
    input.close();
    if (stdin.isTTY) {
      process.stderr.write('\n');
    }
  }
}
