import { readFileSync } from 'node:fs';
import { formatVerifierKey, parsePolicy, PolicyError, type Policy } from '@caregate/audit-log';
import { ConfigError } from '../../config/service-config.ts';
import { errorCode } from '../../config/operator-error.ts';

/**
 * Reads the policy file (C2SP tlog-policy) that names the witnesses of this service.
 *
 * @throws ConfigError that names the file and the line
 */
export function readWitnessPolicy(file: string): Policy {
  const policy = parse(file, read(file));
  const mute = policy.witnesses.find(({ url }) => url === undefined);
  if (mute !== undefined) {
    throw new ConfigError(
      `${file}: the witness "${mute.name}" has no address. Add the URL prefix of its add-checkpoint to its line.`,
    );
  }
  if (policy.witnesses.length === 0) {
    throw new ConfigError(`${file}: no witness line. Unset CAREGATE_WITNESSES to ask no witness.`);
  }
  return policy;
}

/**
 * Requires that the policy is for this log, if it names logs.
 *
 * @param verifierKey of the log
 * @throws ConfigError
 */
export function requireLogOfPolicy(file: string, policy: Policy, verifierKey: string): void {
  const isNamed = policy.logs.some(({ key }) => formatVerifierKey(key) === verifierKey);
  if (policy.logs.length > 0 && !isNamed) {
    throw new ConfigError(
      `${file} names logs, and not the one of this service. Add the line: log ${verifierKey}`,
    );
  }
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(
      `The policy file ${file} of CAREGATE_WITNESSES cannot be read (${errorCode(error)}).`,
    );
  }
}

function parse(file: string, content: Buffer): Policy {
  try {
    return parsePolicy(content);
  } catch (error) {
    if (error instanceof PolicyError) {
      throw new ConfigError(`${file}: ${error.message}`);
    }
    throw error;
  }
}
