import { isUuid, type LabResultMetadata, getMaxLength, type Panel } from '@caregate/domain';
import { createHash } from 'node:crypto';
import { omitUndefined } from './defined.ts';
import { describeInvalidTimes, formatDateTime, readTime } from '../hl7-time.ts';
import { limitText } from './observation-value.ts';
import { type Obx, readObservations } from './observation.ts';
import { readProvider } from './people.ts';
import type { ReportedOrder, ReportedPatient } from '../report.ts';
import type { Segment } from '../segment.ts';

export interface OrderContext {
  readonly msh: Segment;
  /** UTC offset of MSH-7, `+HH:MM`. */
  readonly offset: string | undefined;
  readonly patient: ReportedPatient;
}

interface Draft extends Pick<ReportedOrder, 'key' | 'placer' | 'filler'> {
  readonly obrs: Segment[];
  readonly notes: string[];
  readonly obxs: Obx[];
  specimen?: string | undefined;
}

export function readOrders(segments: readonly Segment[], context: OrderContext): ReportedOrder[] {
  const drafts = new Map<string, Draft>();
  const patientNotes: string[] = [];
  let orc: Segment | undefined;
  let order: Draft | undefined;
  let panelContext: Pick<Obx, 'obr' | 'panel' | 'orderStatus' | 'reported'> | undefined;
  let notes = patientNotes;
  for (const segment of segments) {
    switch (segment.name) {
      case 'ORC':
        orc = segment;
        break;
      case 'OBR': {
        const draft = createDraft(segment, orc, context.msh);
        order = drafts.get(draft.key) ?? draft;
        drafts.set(draft.key, order);
        order.obrs.push(segment);
        panelContext = {
          obr: segment,
          panel: readPanel(segment, orc),
          orderStatus: segment.getText(25),
          reported: formatDateTime(readTime(segment, 22), context.offset),
        };
        orc = undefined;
        ({ notes } = order);
        notes.push(...describeInvalidTimes(segment, [7, 14, 22]));
        break;
      }
      case 'OBX':
        notes = [];
        if (order === undefined || panelContext === undefined) {
          segment.refuse('segmentSequence', undefined, 'An OBX must follow an OBR.');
        }
        order.obxs.push({ segment, notes, offset: context.offset, ...panelContext });
        break;
      case 'NTE':
        notes.push(segment.getFullText(3));
        break;
      case 'SPM': {
        const [ids] = segment.getRepetitions(2);
        if (order !== undefined) {
          order.specimen ??= ids?.getComponent(2, 1) ?? ids?.getComponent(1, 1);
        }
        break;
      }
    }
  }
  if (drafts.size === 0) {
    context.msh.refuse('segmentSequence', undefined, 'The message must have an OBR.');
  }
  return [...drafts.values()].map((draft) => toOrder(draft, patientNotes, context));
}

const PLACER = 2;
const FILLER = 3;

/**
 * The panel's name and code (OBR-4) and its filler number. An order may have several panels, and the same panel
 * several times.
 */
function readPanel(obr: Segment, orc: Segment | undefined): Panel | undefined {
  const panel = omitUndefined({
    code: obr.getText(4) ?? obr.getText(4, 4),
    name: obr.getText(4, 2) ?? obr.getText(4, 5) ?? obr.getText(4),
    number: obr.getText(FILLER) ?? orc?.getText(FILLER),
  });
  return Object.keys(panel).length === 0 ? undefined : panel;
}

/**
 * Numbers the repeats of a panel that a message reports several times under the same filler number, or under none, if
 * the repeats have a test in common (such as `H-1#2`). Otherwise a correction of one repeat would replace the results
 * of all.
 */
function numberRepeats(obxs: readonly Obx[]): readonly Obx[] {
  const panelsByTest = new Map<string, Set<Segment>>();
  for (const { obr, panel, segment } of obxs) {
    const test = JSON.stringify([panel, segment.getComponents(3, 6), segment.getText(4)]);
    panelsByTest.set(test, (panelsByTest.get(test) ?? new Set()).add(obr));
  }
  const repeated = new Set(
    [...panelsByTest.values()].filter(({ size }) => size > 1).flatMap((obrs) => [...obrs]),
  );
  const places = new Map<string, Segment[]>();
  return obxs.map((obx) => {
    if (!repeated.has(obx.obr)) {
      return obx;
    }
    const label = JSON.stringify(obx.panel);
    const obrs = places.get(label) ?? [];
    if (!obrs.includes(obx.obr)) {
      obrs.push(obx.obr);
    }
    places.set(label, obrs);
    const number = `${obx.panel?.number ?? ''}#${obrs.indexOf(obx.obr) + 1}`;
    return { ...obx, panel: { ...obx.panel, number } };
  });
}

function createDraft(obr: Segment, orc: Segment | undefined, msh: Segment): Draft {
  const readNumber = (field: number): (string | undefined)[] | undefined =>
    [obr, orc]
      .map((segment) => segment?.getComponents(field, 4) ?? [])
      .find(([number]) => number !== undefined);
  const [placer, filler] = [readNumber(PLACER), readNumber(FILLER)];
  if (placer === undefined && filler === undefined) {
    obr.refuse('requiredField', FILLER, 'An order must have a placer or a filler number.');
  }
  const number = placer === undefined ? { filler } : { placer };
  return {
    key: JSON.stringify([msh.getComponents(4, 3), number]),
    placer: placer?.[0],
    filler: filler?.[0],
    ...{ obrs: [], notes: [], obxs: [] },
  };
}

function toOrder(
  draft: Draft,
  patientNotes: readonly string[],
  { msh, patient }: OrderContext,
): ReportedOrder {
  const { key, placer, filler, obrs, obxs, specimen } = draft;
  const { observations, arePending } = readObservations(numberRepeats(obxs));
  const [provider = {}] = obrs.map(readProvider).filter(({ name }) => name !== undefined);
  const readDay = (field: number): string | undefined =>
    obrs.map((obr) => readTime(obr, field)?.day).find((day) => day !== undefined);
  const [laboratory, clia, kind] = msh.getComponents(4, 3);
  const tests = obrs.map((obr) => obr.getText(4, 2) ?? obr.getText(4, 5) ?? obr.getText(4));
  const test = joinNames(new Set(tests.filter((name) => name !== undefined)));
  const metadata: LabResultMetadata = omitUndefined({
    dob: patient.birthDate?.split('-').reverse().join('/'),
    clia_number: kind === 'CLIA' ? clia : undefined,
    patient: patient.name,
    provider: provider.name,
    laboratory,
    date_collected: readDay(7),
    date_received: readDay(14),
    date_reported: readDay(22),
    specimen_number: specimen,
  });
  return {
    ...{ key, placer, filler, metadata, observations },
    order: omitUndefined({
      lab_test: test === '' ? undefined : { name: test },
      physician: provider.physician,
      notes: limitText([...patientNotes, ...draft.notes].join('\n')) || undefined,
    }),
    status: arePending ? 'partial' : readStatus(obrs),
  };
}

/** Joins as many panel names as fit into the field. Each result also has its own panel's name. */
function joinNames(names: ReadonlySet<string>): string {
  let text = '';
  for (const name of names) {
    const joined = text === '' ? name : `${text}, ${name}`;
    if (text !== '' && joined.length > getMaxLength('name') - 3) {
      return `${text}, …`;
    }
    text = joined;
  }
  return text;
}

/** Reads OBR-25. Codes that say nothing about the results in this message are ignored. */
function readStatus(obrs: readonly Segment[]): ReportedOrder['status'] {
  const codes = obrs.map((obr) => obr.getText(25) ?? '');
  if (codes.some((code) => 'AIOPRS'.includes(code) && code !== '')) {
    return 'partial';
  }
  return codes.includes('C') ? 'corrected' : undefined;
}

/** The placer number if it is a UUID, otherwise a UUIDv5 of the order's key with the team as namespace (RFC 9562). */
export function deriveOrderId(teamId: string, { placer, key }: ReportedOrder): string {
  if (placer !== undefined && isUuid(placer)) {
    return placer.toLowerCase();
  }
  const namespace = Buffer.from(teamId.replaceAll('-', ''), 'hex');
  const hash = createHash('sha1').update(namespace).update(key).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
