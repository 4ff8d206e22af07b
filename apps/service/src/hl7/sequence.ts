import type { Segment } from './segment.ts';

/** Of an ORU^R01 in all versions that are read, after its MSH. */
const OF_RESULTS = new Set(
  'SFT PID PD1 NK1 PV1 PV2 ORC OBR NTE TQ1 TQ2 CTD OBX FT1 CTI SPM DSC'.split(' '),
);

/** Every segment is one of a result message or of the sender's own (Z), of one patient, and none is to follow. @throws RefusedMessage */
export function checkedPid(msh: Segment, others: readonly Segment[]): Segment | undefined {
  let pid: Segment | undefined;
  let hasOrders = false;
  for (const segment of others) {
    const { name } = segment;
    if (!OF_RESULTS.has(name) && !name.startsWith('Z')) {
      segment.refuse('segmentSequence', undefined, 'The segment is not one of ORU^R01.');
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
