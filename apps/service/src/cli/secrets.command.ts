import { Command } from 'commander';
import { createChangeAction, buildDataCommand } from './command.ts';
import { createOutput } from './common/run-command.ts';

const notes = `
A cursor is the place of the next page in a paged answer. Running instances take the new secret by themselves; clients notice nothing.
The turn is recorded in the audit log before it takes effect, and can be repeated after a day. Other keys: docs/operations.md.`;

export function makeCommand(): Command {
  return new Command('secrets')
    .description('Replaces the secret that encrypts cursors.')
    .addHelpText('after', notes)
    .addCommand(
      buildDataCommand(
        'rotate',
        'make a new secret for cursors; those of the old one are valid for a day',
      ).action(
        createChangeAction(async (store) => {
          const until = (await store.secrets.rotateCursorSecret()).toISOString();
          return createOutput(
            { old_valid_until: until },
            () =>
              `Cursors are made with a new secret. Those of the old one are valid until ${until}.\n`,
          );
        }),
      ),
    );
}
