import type { Command, Option } from 'commander';

/** What can be typed behind the words of a command. */
export interface Completed {
  /** The words behind `caregate`, such as `keys create`; empty for the first one. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly CompletedOption[];
}

interface Word {
  readonly word: string;
  readonly summary: string;
}

interface CompletedOption extends Word {
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The values that it may have, where they are known. */
  readonly choices: readonly string[];
}

/** A command and all below it. */
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
