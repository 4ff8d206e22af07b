import { Command } from 'commander';
import type { ListedDesk } from '../auth/repositories/desk.repository.ts';
import {
  createChangeAction,
  buildDataCommand,
  buildEndCommand,
  buildListCommand,
} from './command.ts';
import { createOutput } from './common/run-command.ts';

const notes = `
The enrolment code is typed at the desk. It is shown once, valid for 10 minutes and for five tries; the desk then makes a key pair of
its own, with which it signs every request. Every change is recorded in the audit log before it takes effect.`;

export function makeCommand(): Command {
  return new Command('desks')
    .description(
      'Enrols, lists and revokes desks. Changes take effect immediately, also in a running service.',
    )
    .addHelpText('after', notes)
    .addCommand(buildEnrolCommand())
    .addCommand(list)
    .addCommand(revoke);
}

function buildEnrolCommand(): Command {
  return buildDataCommand('enrol', 'make an enrolment code for one desk')
    .requiredOption('--team <uuid>', 'the team of the desk')
    .requiredOption(
      '--name <name>',
      'name of the desk, shown there and in reports of the audit log',
    )
    .action(
      createChangeAction(async (store, { team: teamId, name }: { team: string; name: string }) => {
        const { code, expires } = await store.desks.makeCode({ teamId, name });
        return createOutput(
          { code, expires: expires.toISOString() },
          (enrolment) =>
            `${enrolment.code}\nType this enrolment code at the desk until ${enrolment.expires}. It cannot be shown again.\n`,
        );
      }),
    );
}

const list = buildListCommand<ListedDesk>('desks', {
  none: 'No desks.',
  read: (store, teamId) => store.desks.list(teamId),
  header: ['DESK ID', 'STATE', 'ENROLLED', 'KEY SINCE', 'TEAM', 'NAME'],
  row: (desk) => [
    desk.deskId,
    desk.revoked === undefined ? 'enrolled' : 'revoked',
    desk.created.toISOString().slice(0, 10),
    desk.keySince.toISOString().slice(0, 10),
    desk.teamId,
    desk.name,
  ],
});

const revoke = buildEndCommand('revoke', 'revoke a desk: all sessions there end at once', {
  argument: ['<desk id>', 'id shown by `list`'],
  end: (store, deskId) => store.desks.revoke(deskId),
  ...{ noun: 'Desk', state: 'revoked' },
});
