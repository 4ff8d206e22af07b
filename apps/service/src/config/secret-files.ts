import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a secret from its variable, from the file that `<variable>_FILE` names, or from the systemd credential of
 * that name, without the newline at its end. @throws OperatorError, which never quotes the secret
 */
export function readSecret(env: Environment, variable: string): string {
  const { [variable]: own = '', CREDENTIALS_DIRECTORY: credentials = '' } = env;
  const { [toFileVariable(variable)]: named = '' } = env;
  if (own !== '' && named !== '') {
    throw new OperatorError(`${variable} and ${toFileVariable(variable)} must not both be set.`, 2);
  }
  if (own !== '' || (named === '' && credentials === '')) {
    return own;
  }
  const file = named === '' ? join(credentials, variable) : named;
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/u, '');
  } catch (error) {
    // A systemd unit may have credentials for some of the secrets only.
    if (named === '' && getErrorCode(error) === 'ENOENT') {
      return '';
    }
    const why = `${file} cannot be read (${getErrorCode(error)}).`;
    throw new OperatorError(`${toFileVariable(variable)}: ${why}`, 2, error);
  }
}

/**
 * Returns the file of the audit key: `CAREGATE_AUDIT_KEY_FILE`, or the systemd credential `CAREGATE_AUDIT_KEY`.
 * Undefined if the key is in the data folder.
 */
export function getAuditKeyFile(env: Environment): string | undefined {
  const { CAREGATE_AUDIT_KEY_FILE: named = '', CREDENTIALS_DIRECTORY: credentials = '' } = env;
  const file = credentials === '' ? '' : join(credentials, 'CAREGATE_AUDIT_KEY');
  return named || (existsSync(file) ? file : undefined);
}

export function toFileVariable(variable: string): string {
  return `${variable}_FILE`;
}
