import type { Disclosure } from '../../../bridge/audit.ts';
import type { PrintDocument } from '../../../bridge/print.ts';
import type { Frame } from '../../print/print-document.ts';
import { hidden } from '../../state/mask.tsx';
import type { MessageKey } from '../../text/text.tsx';

interface Parts {
  readonly userId: string;
  /** The log has no names: only the id that was searched for. */
  readonly clientUserId: string | undefined;
  readonly masked: boolean;
  readonly disclosures: readonly Disclosure[];
  /** Undefined: all records. */
  readonly from: string | undefined;
  readonly to: string;
  readonly frame: Frame;
  readonly text: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;
  readonly roleText: (role: string) => string;
  readonly time: (at: string) => string;
}

/** The limit of a printed table. */
const mostRows = 5000;

export function disclosuresDocument(parts: Parts): PrintDocument {
  const { userId, clientUserId, masked, disclosures, from, to, frame, text, roleText, time } =
    parts;
  const rows = disclosures.map(({ occurredAt, actor, what, why, desk, outcome }) => {
    const who = actor.name ?? actor.id ?? actor.type;
    return {
      cells: [
        time(occurredAt),
        actor.role === undefined ? who : `${who}, ${roleText(actor.role)}`,
        what,
        [why, desk, outcome === 'allowed' ? undefined : outcome].filter(Boolean).join(', '),
      ],
    };
  });
  const tables = Array.from({ length: Math.ceil(rows.length / mostRows) }, (_, at) =>
    rows.slice(at * mostRows, (at + 1) * mostRows),
  );
  return {
    ...frame,
    kind: 'disclosures',
    title: text('disclosures.title'),
    notice: text('disclosures.notice'),
    patient: {
      name: `${text('disclosures.of')} ${masked ? hidden : userId}`,
      facts:
        clientUserId === undefined
          ? []
          : [{ label: text('print.patient'), value: masked ? hidden : clientUserId, code: true }],
    },
    main: [
      {
        label: text('disclosures.period'),
        value: from === undefined ? text('disclosures.until', { to }) : `${from} – ${to}`,
      },
      { label: text('disclosures.count'), value: String(disclosures.length) },
    ],
    sections:
      tables.length === 0
        ? [{ heading: text('disclosures.none'), facts: [] }]
        : tables.map((some, at) => ({
            heading: at === 0 ? text('disclosures.list') : '',
            facts: [],
            table: {
              columns: [
                text('disclosures.when'),
                text('audit.who'),
                text('audit.what'),
                text('disclosures.why'),
              ],
              widths: [20, 28, 27, 25],
              rows: some,
            },
          })),
  };
}
