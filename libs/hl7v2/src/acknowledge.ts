import { randomBytes } from 'node:crypto';
import { CHARSETS } from './charset.ts';
import { ERRORS, type Refusal } from './refusal.ts';
import { VERSIONS } from './header.ts';
import type { Header } from './report.ts';
import type { Separators } from './separators.ts';

export function getAckCode(header: Header | undefined, refusal?: Refusal): string {
  return `${header?.enhanced === true ? 'C' : 'A'}${refusal?.ack[1] ?? 'A'}`;
}

const NO_HEADER: Header = {
  separators: { field: '|', component: '^', repetition: '~', escape: '\\', subcomponent: '&' },
  ...{ sendingApplication: '', sendingFacility: '' },
  ...{ receivingApplication: '', receivingFacility: '' },
  ...{ controlId: '', processingId: 'P', version: '2.5.1', charset: '', enhanced: false },
};

/** Versions whose ERR segment has one field for location and code; their error text goes into MSA-3. */
const OLD_VERSIONS: ReadonlySet<string> = new Set(['2.3', '2.3.1', '2.4']);

/**
 * Builds the acknowledgment of a message, without its MLLP frame. Without a refusal, it says that the message was
 * accepted or put aside.
 */
export function acknowledge(messageHeader: Header | undefined, refusal?: Refusal): Buffer {
  const header = messageHeader ?? NO_HEADER;
  const { separators, controlId } = header;
  const { field, component } = separators;
  const sentVersion = header.version.split(component, 1)[0]?.trim() ?? '';
  const version = VERSIONS.has(sentVersion) ? sentVersion : NO_HEADER.version;
  const isOld = OLD_VERSIONS.has(version);
  const text = refusal === undefined ? '' : escapeText(refusal.message, separators);
  const segments = [
    buildMsh(header, version),
    ['MSA', getAckCode(messageHeader, refusal), controlId, ...(isOld && text !== '' ? [text] : [])],
    ...(refusal === undefined
      ? []
      : [isOld ? buildOldErr(refusal, separators) : buildErr(refusal, separators)]),
  ];
  const message = segments.map((fields) => `${fields.join(field)}\r`).join('');
  return Buffer.from(message, 'latin1');
}

function buildMsh(header: Header, version: string): string[] {
  const { component, repetition, escape, subcomponent } = header.separators;
  const now = new Date().toISOString().replace(/\D/gu, '').slice(0, 14);
  const type = version === '2.3' ? ['ACK', 'R01'] : ['ACK', 'R01', 'ACK'];
  return [
    ...['MSH', `${component}${repetition}${escape}${subcomponent}`],
    ...[header.receivingApplication, header.receivingFacility],
    ...[header.sendingApplication, header.sendingFacility],
    ...[`${now}+0000`, '', type.join(component), randomBytes(10).toString('hex')],
    ...[header.processingId, version, '', '', '', '', ''],
    CHARSETS.has(header.charset) ? header.charset : '',
  ];
}

/** The ERR segment since version 2.5: location, code, severity, text. */
function buildErr({ error, message, ...position }: Refusal, separators: Separators): string[] {
  const { segment, sequence = 1, field } = position;
  const { component } = separators;
  const place =
    segment === undefined ? [] : [segment, sequence, ...(field === undefined ? [] : [field])];
  const [code, name] = ERRORS[error];
  const reason = [code, name, 'HL70357'].join(component);
  const location = place.join(component);
  return ['ERR', '', location, reason, 'E', '', '', '', escapeText(message, separators)];
}

/** The ERR segment of versions before 2.5, with location and code in one field. */
function buildOldErr(
  { error, segment, sequence, field }: Refusal,
  separators: Separators,
): string[] {
  const { component, subcomponent } = separators;
  const [code, name] = ERRORS[error];
  const reason = subcomponent === '' ? code : [code, name, 'HL70357'].join(subcomponent);
  return ['ERR', [segment ?? '', sequence ?? '', field ?? '', reason].join(component)];
}

function escapeText(sentence: string, separators: Separators): string {
  const { escape, field, component, repetition, subcomponent } = separators;
  const codes = new Map(
    Object.entries({ F: field, S: component, R: repetition, T: subcomponent, E: escape }).map(
      ([code, sign]) => [sign, escape === '' ? ' ' : `${escape}${code}${escape}`],
    ),
  );
  return Array.from(sentence, (sign) => codes.get(sign) ?? sign).join('');
}
