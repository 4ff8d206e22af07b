import { Command } from 'commander';
import { buildEraseCommand } from './erase.command.ts';
import { buildExportCommand } from './export-person.command.ts';

const notes = `
Everything is recorded in the audit log before it leaves or takes effect; what cannot be recorded is not done.`;

export function makeCommand(): Command {
  return new Command('person')
    .description('What a patient may ask for: all that is stored of them, or that it is erased.')
    .addHelpText('after', notes)
    .addCommand(buildExportCommand())
    .addCommand(buildEraseCommand());
}
