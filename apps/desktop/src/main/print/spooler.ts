import { spawn } from 'node:child_process';

interface SpoolJob {
  readonly printer: string;
  readonly copies: number;
  /** The CUPS name of the paper size. */
  readonly media: string;
}

/** `lp` waits forever for a print server that doesn't respond. */
const limitMs = 30_000;

/**
 * Prints the PDF at its own size through `lp`, and returns whether `lp` accepted it; undefined if there is no `lp`. The
 * PDF is sent through a pipe, since Chromium would print it through a temporary file.
 */
export function spool(
  pdf: Uint8Array,
  job: SpoolJob,
  { command = 'lp', signal = AbortSignal.timeout(limitMs) } = {},
): Promise<boolean | undefined> {
  const { printer, copies, media } = job;
  const options = ['print-scaling=none', `media=${media}`].flatMap((one) => ['-o', one]);
  return new Promise((resolve) => {
    // Other users can see the list of print jobs, so the title never names a patient.
    const lp = spawn(
      command,
      ['-d', printer, '-n', String(copies), '-t', 'Caregate', ...options, '-'],
      {
        stdio: ['pipe', 'ignore', 'ignore'],
        signal,
        killSignal: 'SIGKILL',
      },
    );
    lp.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? undefined : false),
    );
    lp.once('close', (code) => resolve(code === 0));
    // A broken pipe needs no handling of its own, since `lp` also exits with a nonzero code.
    lp.stdin.on('error', () => undefined);
    lp.stdin.end(pdf);
  });
}
