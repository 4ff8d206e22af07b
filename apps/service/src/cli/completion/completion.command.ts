import { Argument, Command, type Option } from 'commander';
import {
  completionScript,
  SHELLS,
  type Completed,
  type CompletedOption,
  type Shell,
} from './completion-scripts.ts';

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

export function commandTree(command: Command, path = ''): Completed[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const options = help.visibleOptions(command).flatMap(completedOption);
  const own = {
    path,
    commands: commands.map((each) => ({ word: each.name(), summary: summaryOf(each) })),
    options,
  };
  const below = commands.flatMap((each) => commandTree(each, `${path} ${each.name()}`.trim()));
  return [own, ...below];
}

function completedOption(option: Option): CompletedOption[] {
  return option.long === undefined
    ? []
    : [
        {
          word: option.long,
          summary: option.description,
          takesValue: option.required || option.optional,
          choices: option.argChoices ?? [],
        },
      ];
}

function summaryOf(command: Command): string {
  return command.summary() || command.description();
}
