import { Command } from 'commander';
import type { ListedTeam } from '../../auth/repositories/team.repository.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { parseUuid } from '@caregate/data-store';
import {
  createAction,
  createChangeAction,
  buildDataCommand,
  buildListCommand,
  type CommandContext,
} from '../command.ts';
import { createOutput } from '../common/run-command.ts';
import { hasStore } from '../../open-data.ts';

const notes = `
A team is also made with its first key, staff member or desk; its id is that of the lines of an import. A team is deleted if
it has nothing: no person in the store, no key, staff, desk or emergency access, not even revoked ones, which the audit log
names by their ids. To erase a person of a team: caregate person erase.`;

export function makeCommand(): Command {
  return new Command('teams')
    .description('Creates, lists and deletes teams: the clinics whose data is kept apart.')
    .addHelpText('after', notes)
    .addCommand(buildCreateCommand())
    .addCommand(list)
    .addCommand(buildDeleteCommand());
}

function buildCreateCommand(): Command {
  return buildDataCommand('create', 'create a team')
    .requiredOption('--team <uuid>', 'id of the team')
    .requiredOption('--name <name>', 'name of the team, shown by `list`')
    .action(
      createChangeAction(async (store, { team, name }: { team: string; name: string }) => {
        await store.teams.create(team, name);
        return createOutput(
          { team_id: team.toLowerCase(), name },
          () => `Team ${team} was created.\n`,
        );
      }),
    );
}

const list = buildListCommand<ListedTeam>('teams', {
  none: 'No teams.',
  read: (store, teamId) => store.teams.list(teamId),
  header: ['TEAM', 'CREATED', 'NAME'],
  row: ({ teamId, created, name }) => [teamId, created.toISOString().slice(0, 10), name ?? ''],
});

function buildDeleteCommand(): Command {
  return buildDataCommand('delete', 'delete a team that has nothing')
    .requiredOption('--team <uuid>', 'id of the team')
    .action(
      createAction((context, { team }: { team: string }) =>
        context.changeAccess(async (store) => {
          await requireNoPatients(context, team);
          await store.teams.delete(team);
          return createOutput(
            { team_id: team.toLowerCase(), state: 'deleted' },
            () => `Team ${team} was deleted.\n`,
          );
        }),
      ),
    );
}

async function requireNoPatients(context: CommandContext, team: string): Promise<void> {
  const id = parseUuid(team);
  if (id === undefined || !hasStore(context.where)) {
    return;
  }
  const people = await context.withPeople((store) => store.countPeople(id));
  if (people > 0) {
    throw new OperatorError(`Team ${team} is not deleted: it has patients (${people}).`, 2);
  }
}
