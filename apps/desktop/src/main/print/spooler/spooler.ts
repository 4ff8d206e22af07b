import { spawn } from 'node:child_process';

interface SpoolJob {
  readonly printer: string;
  readonly copies: number;
  /** As CUPS names it. */
  readonly media: string;
}

/** `lp` waits forever for a server that doesn't answer. */
const limitMs = 30_000;

/** `job` is its number in CUPS, where `lp` says it. */
export type Spooled = { readonly taken: false } | { readonly taken: true; readonly job?: number };

/** At the PDF's own size, by a pipe: Chromium would use a temporary file. Undefined without `lp`. */
export function spool(
  pdf: Uint8Array,
  job: SpoolJob,
  { command = 'lp', signal = AbortSignal.timeout(limitMs) } = {},
): Promise<Spooled | undefined> {
  const { printer, copies, media } = job;
  const options = ['print-scaling=none', `media=${media}`].flatMap((one) => ['-o', one]);
  return new Promise((resolve) => {
    // Job lists are seen by many: no patient in the title.
    const lp = spawn(
      command,
      ['-d', printer, '-n', String(copies), '-t', 'Caregate', ...options, '-'],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...process.env, LC_ALL: 'C' },
        signal,
        killSignal: 'SIGKILL',
      },
    );
    lp.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? undefined : { taken: false });
    });
    let said = '';
    lp.stdout.on('data', (part: Buffer) => {
      said += part.toString();
    });
    lp.once('close', (code) => {
      const [, job] = /-(\d+) \(/u.exec(said) ?? [];
      resolve(
        code === 0
          ? { taken: true, ...(job !== undefined && { job: Number(job) }) }
          : { taken: false },
      );
    });
    // The exit code tells; a broken pipe adds nothing.
    lp.stdin.on('error', () => undefined);
    lp.stdin.end(pdf);
  });
}
