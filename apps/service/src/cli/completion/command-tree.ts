import type { Command, Option } from 'commander';

export interface Completed {
  /** Such as `keys create`; empty for `caregate` itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly CompletedOption[];
}

interface Word {
  readonly word: string;
  readonly summary: string;
}

interface CompletedOption extends Word {
  readonly takesValue: boolean;
  readonly choices: readonly string[];
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
