import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './operator-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** From the variable, the file of `<variable>_FILE` or the systemd credential, less one newline. A problem never quotes it. */
export function readSecret(
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
    // A unit may have credentials for only some secrets.
    if (named === undefined && errorCode(error) === 'ENOENT') {
      return { value: undefined };
    }
    return { problem: `${fileVariable(variable)}: ${file} cannot be read (${errorCode(error)}).` };
  }
}

/** `CAREGATE_AUDIT_KEY_FILE`, or the systemd credential `CAREGATE_AUDIT_KEY`. Undefined: the key is in the data folder. */
export function auditKeyFile(env: Environment): string | undefined {
  const credentials = given(env['CREDENTIALS_DIRECTORY']);
  const file = credentials === undefined ? undefined : join(credentials, 'CAREGATE_AUDIT_KEY');
  const named = given(env['CAREGATE_AUDIT_KEY_FILE']);
  return named ?? (file !== undefined && existsSync(file) ? file : undefined);
}

export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
