import { spawn } from 'node:child_process';

interface SpoolJob {
  readonly printer: string;
  readonly copies: number;
  /** As CUPS names it. */
  readonly media: string;
}

/** A server that can't be reached is waited for by `lp` without an end. */
const limitMs = 30_000;

/**
 * Hands a PDF to CUPS, byte for byte and in its own size, through a pipe: Chromium's way leads through a file in the
 * temporary folder. True once the job is queued, false where it was refused or given up, by the signal or for its time;
 * undefined where there is no `lp`.
 */
export function spool(
  pdf: Uint8Array,
  job: SpoolJob,
  { command = 'lp', signal = AbortSignal.timeout(limitMs) } = {},
): Promise<boolean | undefined> {
  const { printer, copies, media } = job;
  const options = ['print-scaling=none', `media=${media}`].flatMap((one) => ['-o', one]);
  return new Promise((resolve) => {
    // Its title names no patient: job lists are seen by many.
    const lp = spawn(
      command,
      ['-d', printer, '-n', String(copies), '-t', 'Caregate', ...options, '-'],
      { stdio: ['pipe', 'ignore', 'ignore'], signal, killSignal: 'SIGKILL' },
    );
    lp.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? undefined : false);
    });
    lp.once('close', (code) => {
      resolve(code === 0);
    });
    // Its end says what went wrong; the pipe that breaks with it says no more.
    lp.stdin.on('error', () => undefined);
    lp.stdin.end(pdf);
  });
}
