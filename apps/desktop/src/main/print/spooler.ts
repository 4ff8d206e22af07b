import { spawn } from 'node:child_process';
import type { Paper } from '../../bridge/print.ts';
import { PAPER_SIZES } from './paper.ts';

interface SpoolJob {
  readonly printer: string;
  readonly copies: number;
  readonly paper: Paper;
}

/** Media as CUPS names them. */
function mediaOf(paper: Paper): string {
  const { width, height } = PAPER_SIZES[paper];
  return { a4: 'A4', letter: 'Letter', card: `Custom.${String(width)}x${String(height)}mm` }[paper];
}

/**
 * Hands a PDF to CUPS, byte for byte and in its own size, through a pipe: Chromium's way leads through a file in the
 * temporary folder. True once the job is queued, false where it was refused, undefined where there is no `lp`.
 */
export function spool(pdf: Uint8Array, job: SpoolJob): Promise<boolean | undefined> {
  const { printer, copies, paper } = job;
  const options = ['print-scaling=none', `media=${mediaOf(paper)}`].flatMap((one) => ['-o', one]);
  return new Promise((resolve) => {
    // Its title names no patient: job lists are seen by many.
    const lp = spawn(
      'lp',
      ['-d', printer, '-n', String(copies), '-t', 'Caregate', ...options, '-'],
      { stdio: ['pipe', 'ignore', 'ignore'] },
    );
    lp.once('error', (error: NodeJS.ErrnoException) => {
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
