import { spawn } from 'node:child_process';

interface SpoolJob {
  readonly printer: string;
  readonly copies: number;
  /** As CUPS names it. */
  readonly media: string;
}

/** `lp` waits forever for a server that doesn't answer. */
const limitMs = 30_000;

/**
 * Prints the PDF at its own size and returns whether `lp` took it; undefined without `lp`. It goes through a pipe, where
 * Chromium would use a temporary file.
 */
export function spool(
  pdf: Uint8Array,
  job: SpoolJob,
  { command = 'lp', signal = AbortSignal.timeout(limitMs) } = {},
): Promise<boolean | undefined> {
  const { printer, copies, media } = job;
  const options = ['print-scaling=none', `media=${media}`].flatMap((one) => ['-o', one]);
  return new Promise((resolve) => {
    // Job lists are seen by many: no patient in the title.
    const lp = spawn(
      command,
      ['-d', printer, '-n', String(copies), '-t', 'Caregate', ...options, '-'],
      {
        stdio: ['pipe', 'ignore', 'ignore'],
        signal,
        killSignal: 'SIGKILL',
      },
    );
    lp.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? undefined : false);
    });
    lp.once('close', (code) => {
      resolve(code === 0);
    });
    // The exit code tells; a broken pipe adds nothing.
    lp.stdin.on('error', () => undefined);
    lp.stdin.end(pdf);
  });
}
