import { Command } from 'commander';
import { importCommand } from '../src/cli/import.command.ts';

// `caregate` with its one command, so that these tests need no build and no other room.
await new Command('caregate').addCommand(importCommand()).parseAsync();
