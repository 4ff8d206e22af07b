import { setTimeout as sleep } from 'node:timers/promises';
import type { PrintFate } from '../../../bridge/print.ts';
import { askJob, cupsSocket } from './ipp.ts';

/** RFC 8011, section 5.3.7. */
const jobStates: Readonly<Record<number, PrintFate>> = {
  3: 'queued',
  4: 'queued',
  5: 'queued',
  6: 'stopped',
  7: 'cancelled',
  8: 'cancelled',
  9: 'printed',
};

/** What people can mend, by the printer's reason (RFC 8011, section 5.4.12, and PWG 5100.9). */
const reasons: Readonly<Record<string, PrintFate>> = {
  'media-empty': 'noPaper',
  'media-needed': 'noPaper',
  'input-tray-missing': 'noPaper',
  'media-jam': 'jam',
  'cover-open': 'open',
  'door-open': 'open',
  'interlock-open': 'open',
  'toner-empty': 'noInk',
  'marker-supply-empty': 'noInk',
  'developer-empty': 'noInk',
  offline: 'offline',
  shutdown: 'offline',
  paused: 'paused',
};

type Answer = ReadonlyMap<string, readonly (string | number)[]>;

/** A warning (another tray is empty) stops no job. */
export function fateOf(answer: Answer): PrintFate {
  const fate = jobStates[Number(answer.get('job-state')?.[0])] ?? 'unknown';
  if (fate !== 'queued' && fate !== 'stopped') return fate;
  const why = (answer.get('job-printer-state-reasons') ?? []).map(String);
  const told = why.flatMap((reason) =>
    reason.endsWith('-warning') ? [] : (reasons[reason.replace(/-(?:error|report)$/u, '')] ?? []),
  );
  return told[0] ?? fate;
}

/** Nobody waits longer at a printer. */
const longestMs = 10 * 60_000;
const pauseMs = 500;

/** `unknown` where CUPS doesn't tell. */
export async function nextFate(
  job: number,
  known: PrintFate,
  {
    isWanted,
    socket = cupsSocket(),
  }: { readonly isWanted: () => boolean; readonly socket?: string | undefined },
): Promise<PrintFate> {
  if (socket === undefined) return 'unknown';
  const end = Date.now() + longestMs;
  while (isWanted() && Date.now() < end) {
    const fate = await askJob(socket, job, AbortSignal.timeout(10_000)).then(
      fateOf,
      () => 'unknown' as const,
    );
    if (fate !== known) return fate;
    await sleep(pauseMs);
  }
  return 'unknown';
}
