import { Command, Option } from 'commander';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Actor } from '../../auth/caller.ts';
import { ERASURE_REASONS, readErasures, requireApprovable, type Erasure } from './erasures.ts';
import { ERASURE_OPERATIONS } from '../../audit/audit-entries.ts';
import { parseFileToRead, readOptionFile } from '../../config/run-as.ts';
import { OperatorError } from '@caregate/data-store/errors';
import type { PersonEraser } from '@caregate/data-store';
import { addErased } from '../../backup/erased-list.ts';
import { createAction, buildDataCommand, formatTable, type CommandContext } from '../command.ts';
import { createOutput, type Output } from '../common/run-command.ts';
import {
  createUnknownPersonError,
  toPersonKey,
  buildPersonCommand,
  type PersonOptions,
} from './which-person.ts';

const notes = `
One person proposes an erasure, another one approves it within 30 days; each shows an API key of their own
(caregate keys create --staff ID), of the person's team and with the role admin or auditor.
Approving removes the person from the store and all that was derived, beside a running service, and refuses later imports of
them. The audit log stays, as the law requires: it names the person by the user id alone. The command lists what is kept, and
what it cannot reach. See docs/access.md for backups, PostgreSQL and disks.`;

interface KeyOption {
  readonly keyFile: string;
}

/** A staff member who authenticated with their API key. */
interface Approver {
  readonly staffId: string;
  readonly teamId: string;
  readonly actor: Actor;
}

export function buildEraseCommand(): Command {
  return new Command('erase')
    .summary('erase a person, by two people: propose, then approve')
    .description('Erases all that is stored of a person, by two people.')
    .addHelpText('after', notes)
    .addCommand(buildProposeCommand())
    .addCommand(buildApproveCommand())
    .addCommand(buildListCommand());
}

function withKey(command: Command): Command {
  return command.requiredOption(
    '--key-file <file>',
    'file with an API key of your own; - for standard input',
    parseFileToRead,
  );
}

function buildProposeCommand(): Command {
  return withKey(buildPersonCommand('propose', 'propose to erase a person'))
    .addOption(
      new Option('--reason <reason>', 'ground of the erasure (article 17 (1) GDPR)')
        .choices(ERASURE_REASONS)
        .makeOptionMandatory(),
    )
    .action(
      createAction((context, options: PersonOptions & KeyOption & { reason: string }) =>
        context.withPeople(async (store) => {
          const { team, user, reason } = options;
          const by = await readApprover(context, options);
          if (by.teamId !== team) {
            throw new OperatorError(`--key-file: The key is of another team than ${team}.`, 2);
          }
          if ((await store.read(toPersonKey(options))) === undefined) {
            throw createUnknownPersonError(options);
          }
          const id = randomBytes(4).toString('hex');
          await context.log.record({
            ...{ operation: ERASURE_OPERATIONS.propose, team_id: team, patients: [user] },
            ...{ by: by.actor, details: { proposal: id, reason, staff_id: by.staffId } },
          });
          return createOutput(
            { proposal_id: id, team_id: team, user_id: user, reason },
            () =>
              `Erasure ${id} was proposed. Another person approves it: caregate person erase approve ${id}\n`,
          );
        }),
      ),
    );
}

function buildApproveCommand(): Command {
  return withKey(
    buildDataCommand('approve', 'approve the erasure that another person proposed, and erase'),
  )
    .argument('<proposal id>', 'id shown by `propose` and `list`')
    .action(
      createAction((context, options: KeyOption, id: string) =>
        context.withPeople((store) => approve(context, store, id, options)),
      ),
    );
}

async function approve(
  context: CommandContext,
  store: PersonEraser,
  id: string,
  options: KeyOption,
): Promise<Output> {
  const by = await readApprover(context, options);
  const erasures = await findErasures(context);
  const erasure = erasures.find((one) => one.id === id && one.teamId === by.teamId);
  if (erasure === undefined) {
    throw new OperatorError(`No erasure ${id} of your team was proposed.`, 2);
  }
  const { teamId, userId, erased } = erasure;
  // If the command was killed after recording the erasure, it must run again.
  const isRecorded = erased !== undefined;
  if (!isRecorded) {
    requireApprovable(erasure, by, Date.now());
  }
  await eraseRecorded(context, store, erasure, isRecorded ? undefined : by);
  await store.scrub();
  const about = await context.findRecords({ about: userId, team: teamId });
  const grants = await context.readAccess((access) =>
    access.breakGlass.list({ teamId, all: true }),
  );
  const kept = {
    audit_records: about.length,
    emergency_accesses: grants.filter((grant) => grant.user_id === userId).length,
  };
  return createOutput(
    { proposal_id: id, team_id: teamId, user_id: userId, state: 'erased', kept },
    () => `User ${userId} of team ${teamId} was erased. Kept, as the law requires:
  records of the audit log about this person  ${kept.audit_records}
  emergency accesses, with their reasons      ${kept.emergency_accesses}
Not reached: ${describeUnreached()}
`,
  );
}

/** Describes where the erased data may still exist. On PostgreSQL, its own files may have deleted rows, too. */
function describeUnreached(): string {
  const files =
    'backups made before, files that were imported, exported, printed or saved, and what disks keep of deleted files.';
  return process.env['DATABASE_URL'] === undefined
    ? files
    : `deleted rows in the files of PostgreSQL until VACUUM FULL, its WAL and replicas' until they are removed; ${files}`;
}

/** @param by undefined if the erasure was recorded by a command that was killed afterwards */
async function eraseRecorded(
  { log }: CommandContext,
  store: PersonEraser,
  { id, teamId, userId }: Erasure,
  by: Approver | undefined,
): Promise<void> {
  await log.recordFirst((record) =>
    store.erase(toPersonKey({ team: teamId, user: userId }), async () => {
      if (by !== undefined) {
        await record({
          ...{
            operation: ERASURE_OPERATIONS.erase,
            team_id: teamId,
            patients: [userId],
            by: by.actor,
          },
          details: { proposal: id, staff_id: by.staffId },
        });
      }
      // Write this before the commit: it is all that a restored backup has to find out whom to erase again.
      const folders = [log.dataDir, process.env['CAREGATE_CHECKPOINT_COPY'] ?? ''];
      await addErased(folders, [{ team_id: teamId, user_id: userId, proposal_id: id }]);
    }),
  );
}

function buildListCommand(): Command {
  return buildDataCommand(
    'list',
    'list erasures, proposed and approved, from the audit log',
  ).action(
    createAction(async (context) => {
      const erasures = await findErasures(context);
      const rows = erasures.map(({ erased, ...one }) => [
        ...[one.id, erased === undefined ? 'proposed' : 'erased'],
        ...[(erased ?? one.proposed).slice(0, 10), one.reason, one.teamId, one.userId],
      ]);
      const header = ['PROPOSAL', 'STATE', 'SINCE', 'REASON', 'TEAM', 'USER'];
      return createOutput(erasures.map(toErasureJson), () =>
        formatTable(header, rows, 'No erasures.'),
      );
    }),
  );
}

function toErasureJson(erasure: Erasure): object {
  return {
    ...{ proposal_id: erasure.id, team_id: erasure.teamId, user_id: erasure.userId },
    ...{ reason: erasure.reason, proposed: erasure.proposed, proposed_by: erasure.proposedBy },
    ...{ approved_by: erasure.approvedBy ?? null, erased: erasure.erased ?? null },
  };
}

async function findErasures(context: CommandContext): Promise<Erasure[]> {
  return readErasures(await context.findRecords({ operations: Object.values(ERASURE_OPERATIONS) }));
}

async function readApprover(context: CommandContext, { keyFile }: KeyOption): Promise<Approver> {
  const key = (
    keyFile === '-' ? await text(process.stdin) : readOptionFile('--key-file', keyFile)
  ).trim();
  return await context.readAccess(async (access) => {
    const principal = await access.keys.authenticate(key, '127.0.0.1');
    const person = principal && (await access.staff.findByKey(principal.keyId));
    if (principal === undefined || person === undefined) {
      throw new OperatorError('--key-file: Not a valid key of a person (keys create --staff).', 2);
    }
    const { keyId, role, teamId } = principal;
    if (!['admin', 'auditor'].includes(role)) {
      throw new OperatorError(
        `--key-file: The role ${role} may not erase anybody: admin or auditor is needed.`,
        2,
      );
    }
    return { staffId: person.staffId, teamId, actor: { keyId, role } };
  });
}
