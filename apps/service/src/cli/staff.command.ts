import { Command, Option } from 'commander';
import type { ListedStaff } from '../auth/repositories/staff.repository.ts';
import { PERSON_ROLES } from '../auth/rules.ts';
import { text } from 'node:stream/consumers';
import { OperatorError } from '@caregate/data-store/errors';
import {
  createChangeAction,
  buildDataCommand,
  buildEndCommand,
  buildListCommand,
} from './command.ts';
import { createOutput } from './common/run-command.ts';

const examples = `
  caregate staff add --data ./data --team 7c9e6679-7425-40de-944b-e07fc1f90ae7 --name "Ines Example" --role clinician \\
    --issuer https://id.clinic.example --subject 8f14e45f

The subject is the claim sub of the identity provider. With --email instead, the person is whoever first signs in with that
address, if the provider has verified it. Without either, the person signs in at no desk; caregate keys
create --staff gives anybody a key of their own, with which two people erase a patient.
Every change is recorded in the audit log before it takes effect.`;

interface AddOptions {
  readonly team: string;
  readonly name: string;
  readonly role: string;
  readonly issuer?: string;
  readonly subject?: string;
  readonly email?: string;
}

export function makeCommand(): Command {
  return new Command('staff')
    .description(
      'Adds, lists and disables people, and gives them badges. Changes take effect immediately, also in a running service.',
    )
    .addHelpText('after', examples)
    .addCommand(buildAddCommand())
    .addCommand(list)
    .addCommand(disable)
    .addCommand(buildBadgeCommand());
}

function buildAddCommand(): Command {
  return buildDataCommand('add', 'add a person to a team')
    .requiredOption('--team <uuid>', 'the team')
    .requiredOption('--name <name>', 'name, shown at desks and in reports of the audit log')
    .addOption(
      new Option('--role <role>', 'what the person may do')
        .choices(PERSON_ROLES)
        .makeOptionMandatory(),
    )
    .option('--issuer <url>', 'issuer of the identity provider')
    .option('--subject <sub>', 'subject of the person there')
    .option('--email <address>', 'verified e-mail address of the person there, instead')
    .action(
      createChangeAction(
        async (store, { team: teamId, name, role, issuer, subject, email }: AddOptions) => {
          if (email !== undefined && subject !== undefined) {
            throw new OperatorError('--email: Give the subject or the e-mail address.', 2);
          }
          const { staffId } = await store.staff.add({ teamId, name, role, issuer, subject, email });
          return createOutput(
            { staff_id: staffId },
            (added) => `${name} was added as ${added.staff_id}.\n`,
          );
        },
      ),
    );
}

const list = buildListCommand<ListedStaff>('people', {
  none: 'Nobody.',
  read: (store, teamId) => store.staff.list(teamId),
  header: ['STAFF ID', 'STATE', 'ROLE', 'BADGE', 'SIGN-IN', 'TEAM', 'NAME'],
  row: (person) => [
    person.staffId,
    person.disabled === undefined ? 'active' : 'disabled',
    person.role,
    person.badge ? 'yes' : 'no',
    person.subject ?? person.email ?? 'none',
    person.teamId,
    person.name,
  ],
});

const disable = buildEndCommand(
  'disable',
  'disable a person: their sessions end at once, their keys are revoked',
  {
    argument: ['<staff id>', 'id shown by `list`'],
    end: (store, staffId) => store.staff.disable(staffId),
    ...{ noun: 'Staff', state: 'disabled' },
  },
);

function buildBadgeCommand(): Command {
  return buildDataCommand(
    'badge',
    'give a person a badge, which names them at a desk and proves nothing',
  )
    .argument('<staff id>', 'id shown by `list`')
    .option('--badge <text>', 'what the reader sends; by default read from standard input')
    .option('--remove', 'remove the badge')
    .action(
      createChangeAction(
        async (store, options: { badge?: string; remove?: true }, staffId: string) => {
          const badge =
            options.remove === true ? undefined : (options.badge ?? (await text(process.stdin)));
          await store.staff.setBadge(staffId, badge);
          return createOutput(
            { staff_id: staffId, badge: badge !== undefined },
            (person) => `${staffId} has ${person.badge ? 'a badge' : 'no badge'}.\n`,
          );
        },
      ),
    );
}
