// Before all that Nest decorates, which every command but the help loads: the bundler does not keep the order within it.
import 'reflect-metadata';
import { program } from './program.ts';
import { failureText, runCommand, unexpectedText } from './common/run-command.ts';

// A closed pipe (`caregate keys list | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  const caregate = await program(process.argv.slice(2));
  // Arguments that name files are read while they are parsed.
  await runCommand(async () => {
    await caregate.parseAsync();
  });
} catch (error) {
  process.stderr.write(failureText(unexpectedText(error)));
  process.exitCode = 1;
}
