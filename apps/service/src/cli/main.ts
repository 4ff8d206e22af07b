import { program } from './program.ts';

// A reader that has seen enough (`caregate keys list | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  const caregate = await program(process.argv.slice(2));
  await caregate.parseAsync();
} catch (error) {
  process.stderr.write(`${unexpected(error)}\n`);
  process.exitCode = 1;
}

/** A failure nobody foresaw: where it happened. Its message might hold data, so only that of a system call is told. */
function unexpected(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'caregate failed unexpectedly.';
  }
  const isSystemCall = 'syscall' in error && 'code' in error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  const what = isSystemCall ? `${String(error.code)} in ${String(error.syscall)}` : error.name;
  return [`caregate failed unexpectedly: ${what}`, ...frames].join('\n');
}
