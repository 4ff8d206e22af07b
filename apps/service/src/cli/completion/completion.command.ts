import { Argument, Command } from 'commander';
import { commandTree } from './command-tree.ts';
import { completionScript, SHELLS, type Shell } from './completion-scripts.ts';

export function completionCommand(whole: () => Promise<Command>): Command {
  return new Command('completion')
    .summary('print the completions of bash, zsh or fish')
    .description(
      'Prints a script that completes commands, options and their values in a shell, such as\n' +
        'caregate completion bash > /etc/bash_completion.d/caregate',
    )
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      process.stdout.write(completionScript(shell, commandTree(await whole())));
    });
}
