// Must load before anything that Nest decorates, which all commands but the help load. The bundler doesn't keep the
// order of imports within a chunk.
import 'reflect-metadata';
import { buildProgram } from './program.ts';
import { formatFailure, runCommand, describeUnexpectedError } from './common/run-command.ts';

// A closed pipe (`caregate keys list | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  const caregate = await buildProgram(process.argv.slice(2));
  // Arguments that name files are opened while they are parsed.
  await runCommand(async () => {
    await caregate.parseAsync();
  });
} catch (error) {
  process.stderr.write(formatFailure(describeUnexpectedError(error)));
  process.exitCode = 1;
}
