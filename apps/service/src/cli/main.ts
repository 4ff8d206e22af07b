// Before all that Nest decorates, which every command but the help loads: the bundler does not keep the order within it.
import 'reflect-metadata';
import { program } from './program.ts';
import { failureText } from './start/run-command.ts';

// A closed pipe (`caregate keys list | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  const caregate = await program(process.argv.slice(2));
  await caregate.parseAsync();
} catch (error) {
  process.stderr.write(failureText(unexpected(error)));
  process.exitCode = 1;
}

/** An unexpected error with its stack frames. Messages may contain data, so only system calls are described. */
function unexpected(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'caregate failed unexpectedly.';
  }
  const isSystemCall = 'syscall' in error && 'code' in error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  const what = isSystemCall ? `${String(error.code)} in ${String(error.syscall)}` : error.name;
  return [`caregate failed unexpectedly: ${what}`, ...frames].join('\n');
}
