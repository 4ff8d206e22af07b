import { Command, InvalidArgumentError, Option } from 'commander';
import type { AccessStore } from '../auth/access-store.ts';
import type { ListedKey, NewKeySecret, NewKey } from '../auth/repositories/key.repository.ts';
import { type Role, ROLES, SCOPES } from '../operations/operations.ts';
import { OperatorError } from '@caregate/data-store/errors';
import {
  createChangeAction,
  buildDataCommand,
  buildEndCommand,
  buildListCommand,
} from './command.ts';
import { createOutput } from './common/run-command.ts';

const examples = `
  caregate keys create --data ./data --team 7c9e6679-7425-40de-944b-e07fc1f90ae7 --team-name "North Clinic" \\
    --role integration --scopes users:read,lab-results:read --label "results import" --expires 30d --cidr 10.1.0.0/16

The secret of a key is shown only once and is never stored. A team is created with its first key. Every change is recorded
in the audit log before it takes effect; without a log that can be written, nothing is changed.
Roles: ${ROLES.join(', ')}. Scopes (role integration only): ${SCOPES.join(', ')}.`;

const KEY_ID = ['<key id>', 'the 12 characters after cg_live_ or cg_test_'] as const;

interface CreateOptions {
  readonly staff?: string;
  readonly team?: string;
  readonly teamName?: string;
  readonly role?: Role;
  readonly label?: string;
  readonly scopes?: string[];
  readonly expires?: Date;
  readonly cidr?: string[];
}

export function makeCommand(): Command {
  return new Command('keys')
    .description(
      'Creates, lists, rotates and revokes team API keys. Changes take effect immediately, also in a running service.',
    )
    .addHelpText('after', examples)
    .addCommand(buildCreateCommand())
    .addCommand(list)
    .addCommand(buildRotateCommand())
    .addCommand(revoke);
}

function buildCreateCommand(): Command {
  return buildDataCommand('create', 'create a key for a team and show its secret once')
    .option('--team <uuid>', 'the team whose data the key reads')
    .option('--team-name <name>', 'name of the team, shown by `list`')
    .addOption(new Option('--role <role>', 'role of the key: what it may do').choices(ROLES))
    .option('--label <text>', 'who or what uses the key')
    .option(
      '--staff <id>',
      'the person whom the key belongs to, instead of --team, --role and --label: they sign in with it at a desk',
    )
    .option('--scopes <a,b>', 'scopes of a key of the role integration', (text: string) =>
      text.split(',').map((part) => part.trim()),
    )
    .addOption(buildExpiresOption())
    .option(
      '--cidr <network...>',
      'allow the key only from these networks, e.g. 10.1.0.0/16 2001:db8::/32',
    )
    .action(
      createChangeAction(async (store, options: CreateOptions) => {
        const { cidr: cidrs, teamName, scopes, expires } = options;
        const holder = await readHolder(store, options);
        const key = await store.keys.create({ ...holder, teamName, scopes, expires, cidrs });
        return createOutput(describeKey(key), formatKey);
      }),
    );
}

async function readHolder(
  store: AccessStore,
  { staff, team, role, label }: CreateOptions,
): Promise<Pick<NewKey, 'teamId' | 'role' | 'label' | 'staffId'>> {
  if (staff === undefined) {
    if (team === undefined || role === undefined || label === undefined) {
      throw new OperatorError('--team, --role and --label are required (or --staff).', 2);
    }
    return { teamId: team, role, label };
  }
  if (team !== undefined || role !== undefined) {
    throw new OperatorError('--staff: team and role are those of the person.', 2);
  }
  const person = (await store.staff.list()).find(({ staffId }) => staffId === staff.toLowerCase());
  if (person === undefined) {
    throw new OperatorError('--staff: No such staff member.', 2);
  }
  const { staffId, teamId, role: own, name } = person;
  return { staffId, teamId, role: own, label: label ?? name };
}

const list = buildListCommand<ListedKey>('keys (never their secrets)', {
  none: 'No keys.',
  read: (store, teamId) => store.keys.list(teamId),
  header: ['KEY ID', 'STATE', 'ROLE', 'EXPIRES', 'LAST USED', 'TEAM', 'LABEL'],
  row: (key) => [
    key.keyId,
    key.state,
    key.role,
    key.expires.toISOString().slice(0, 10),
    key.lastUsed === undefined ? 'never' : `${key.lastUsed.toISOString().slice(0, 16)}Z`,
    key.teamName ?? key.teamId,
    [key.label, ...key.scopes, ...key.cidrs].join(' '),
  ],
});

function buildRotateCommand(): Command {
  return buildDataCommand(
    'rotate',
    'create a replacement for a key; the old key works until the overlap ends',
  )
    .argument(...KEY_ID)
    .addOption(buildExpiresOption())
    .option(
      '--overlap <duration>',
      'how long the old key stays valid, e.g. 36h (default: 7d)',
      parseDuration,
    )
    .action(
      createChangeAction(
        async (store, options: { expires?: Date; overlap?: number }, keyId: string) => {
          const { expires, overlap: overlapMs } = options;
          const key = await store.keys.rotate(keyId, { expires, overlapMs });
          return createOutput(
            { ...describeKey(key), old_key_expires: key.oldExpires.toISOString() },
            (rotated) =>
              `${formatKey(rotated)}The old key ${keyId} is valid until ${rotated.old_key_expires}.\n`,
          );
        },
      ),
    );
}

const revoke = buildEndCommand('revoke', 'revoke a key immediately and permanently', {
  argument: KEY_ID,
  end: (store, keyId) => store.keys.revoke(keyId),
  ...{ noun: 'Key', state: 'revoked' },
});

function buildExpiresOption(): Option {
  return new Option(
    '--expires <when>',
    'a duration such as 30d or 12h, or a date; at most 365d (default: 90d)',
  ).argParser(parseExpiry);
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/u.exec(text) ?? [];
  const unitMs = units[unit];
  if (count === undefined || unitMs === undefined) {
    throw new InvalidArgumentError('Expected a number followed by m, h or d, e.g. 7d.');
  }
  return Number(count) * unitMs;
}

/** Parses a duration from now, a date (00:00 UTC) or a date-time with offset. */
function parseExpiry(text: string): Date {
  if (/^\d+[a-z]$/u.test(text)) {
    return new Date(Date.now() + parseDuration(text));
  }
  const date = new Date(text);
  const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/u;
  if (!form.test(text) || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError('Expected a duration such as 90d or a date such as 2030-01-31.');
  }
  return date;
}

function describeKey({ key, keyId, expires }: NewKeySecret) {
  return { key, key_id: keyId, expires: expires.toISOString() };
}

function formatKey({ key, key_id: keyId, expires }: ReturnType<typeof describeKey>): string {
  return `${key}\nKey ${keyId}, valid until ${expires}. Store it securely now: it cannot be shown again.\n`;
}
