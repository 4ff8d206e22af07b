import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './operator-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value of a variable that holds a secret: its own, that of the file which `<variable>_FILE` names, or of the systemd
 * credential with its name. One newline at the end of a file does not count.
 *
 * @returns a problem in words, never with the value, if it is given twice or the file cannot be read
 */
export function secretOf(
  env: Environment,
  variable: string,
): { readonly value: string | undefined } | { readonly problem: string } {
  const own = given(env[variable]);
  const named = given(env[fileVariable(variable)]);
  if (own !== undefined && named !== undefined) {
    return { problem: `${variable} and ${fileVariable(variable)} must not both be set.` };
  }
  if (own !== undefined) {
    return { value: own };
  }
  const credentials = given(env['CREDENTIALS_DIRECTORY']);
  const file = named ?? (credentials === undefined ? undefined : join(credentials, variable));
  if (file === undefined) {
    return { value: undefined };
  }
  try {
    return { value: given(readFileSync(file, 'utf8').replace(/\r?\n$/u, '')) };
  } catch (error) {
    // A unit has credentials for some of its secrets, not for each.
    if (named === undefined && errorCode(error) === 'ENOENT') {
      return { value: undefined };
    }
    return { problem: `${fileVariable(variable)}: ${file} cannot be read (${errorCode(error)}).` };
  }
}

export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
