import type { Segment } from './segment.ts';

/**
 * The message is about one patient, and is complete. Segments that say nothing about results are passed over, since versions and
 * senders add their own.
 *
 * @throws RefusedMessage
 */
export function checkedPid(msh: Segment, others: readonly Segment[]): Segment | undefined {
  let pid: Segment | undefined;
  let hasOrders = false;
  for (const segment of others) {
    const { name } = segment;
    if (name === 'MSH') {
      segment.refuse('segmentSequence', undefined, 'A message must not contain another one.');
    }
    if (name === 'PID' && (pid !== undefined || hasOrders)) {
      const problem = 'A message must be about one patient, named before the orders.';
      segment.refuse('segmentSequence', undefined, problem);
    }
    pid = name === 'PID' ? segment : pid;
    hasOrders ||= name === 'ORC' || name === 'OBR';
  }
  const continued = 'Continued messages are not read; each must be whole.';
  if (msh.text(14) !== undefined) {
    msh.refuse('dataType', 14, continued);
  }
  others.find(({ name }) => name === 'DSC')?.refuse('dataType', 1, continued);
  return pid;
}
