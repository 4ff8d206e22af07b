import { Paper, type Row } from './pdf-paper.ts';

type Value = string | boolean | null | readonly Value[] | Members;
interface Members {
  readonly [name: string]: Value;
}
/** Paths and texts of all values. */
type Flat = readonly (readonly [path: string, text: string])[];

/** Columns of wide tables; the others are written below the row. */
const usual = [
  ...['occurred_at', 'what', 'actor, name', 'actor, role', 'why'],
  ...['name', 'result', 'unit', 'min_range_value', 'max_range_value', 'interpretation'],
  ...['start', 'value', 'reason_code', 'asked_at', 'birthDate', 'phone', 'town', 'note'],
];
const mostColumns = 6;

/** Prints everything in the JSON document. */
export async function personPdf(json: string, onPage: (pages: number) => void): Promise<Buffer> {
  const person = parsed(json);
  const { user_id: id, exported_at: date } = person;
  const { user, user_infos: infos, insurances, orders, search } = person;
  const name = nameOf(person);
  const paper = new Paper(
    {
      name,
      id: `User ${textOf(id)}, chart number ${textOf(members(user)['client_user_id'])}`,
      date: `Exported ${textOf(date)}`,
    },
    onPage,
  );
  paper.heading('All that is stored of a person, and who read it', 17);
  paper.paragraph(name);
  pairsOn(paper, flat({ user_id: id ?? null, team_id: person['team_id'] ?? null }));
  paper.paragraph(
    'Times are as stored, with their offset from UTC; Z is UTC. Fields without a value are left out.',
  );
  paper.heading('Person', 13);
  pairsOn(paper, flat(user));
  each(paper, 'Contact details', infos, (info) => {
    pairsOn(paper, flat(unwrapped(info, 'info')));
  });
  each(paper, 'Insurance', insurances, (insurance) => {
    pairsOn(paper, flat(unwrapped(insurance, 'insurance')));
  });
  each(paper, 'Order', orders, (order) => {
    orderOn(paper, members(order));
  });
  each(paper, 'Activity', person['mindfulness_minutes'], (source) => {
    const { data, ...more } = members(source);
    pairsOn(paper, flat(unwrapped(more, 'source')));
    tableOn(paper, list(data));
  });
  for (const message of list(person['waiting_messages'])) {
    const { segments, ...more } = members(message);
    paper.heading('Message of a laboratory that waits', 13);
    pairsOn(paper, flat(more));
    list(segments).forEach((segment) => {
      paper.paragraph(textOf(segment));
    });
  }
  if (search !== null) {
    const { facts, ...more } = members(search);
    paper.heading('What the search knows', 13);
    pairsOn(paper, flat(more));
    tableOn(paper, list(facts));
  }
  for (const [title, rows] of [
    ['Emergency accesses', list(person['emergency_accesses'])],
    ['Who was shown any of it', list(person['read_by'])],
  ] as const) {
    paper.heading(title, 13);
    if (rows.length === 0) paper.paragraph('None.');
    tableOn(paper, rows);
  }
  return await paper.bytes();
}

function parsed(json: string): Members {
  const asWritten = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(json, asWritten) as Members;
}

function nameOf({ user_infos: infos, orders, user }: Members): string {
  const info = members(members(list(infos)[0])['info']);
  const full = [info['first_name'], info['last_name']].filter((part) => typeof part === 'string');
  const listed = members(members(list(orders)[0])['listed'])['patient_name'];
  return full.join(' ') || textOf(listed) || textOf(members(user)['client_user_id']);
}

function each(
  paper: Paper,
  title: string,
  value: Value | undefined,
  print: (one: Value) => void,
): void {
  const all = list(value);
  if (all.length === 0) {
    paper.heading(title, 13);
    paper.paragraph('None.');
  }
  for (const [index, one] of all.entries()) {
    paper.heading(all.length === 1 ? title : `${title} ${index + 1} of ${all.length}`, 13);
    print(one);
  }
}

function orderOn(
  paper: Paper,
  { listed, order, lab_result: result, earlier_results: earlier, ...more }: Members,
): void {
  pairsOn(paper, flat(more));
  const ordered = flat(order ?? listed);
  pairsOn(paper, ordered);
  // Mostly equal to its copy in the list.
  const known = new Set(ordered.map(([path, text]) => `${path}\n${text}`));
  const differs =
    order === null ? [] : flat(listed).filter(([path, text]) => !known.has(`${path}\n${text}`));
  if (differs.length > 0) {
    paper.heading('In lists of orders, besides', 10.5);
    pairsOn(paper, differs);
  }
  if (result !== null) resultOn(paper, 'Result', members(result));
  for (const one of list(earlier)) {
    const { lab_result: replaced, ...when } = members(one);
    resultOn(paper, 'Earlier result', members(replaced), flat(when));
  }
}

function resultOn(
  paper: Paper,
  title: string,
  { results, missing_results: missing, ...more }: Members,
  when: Flat = [],
): void {
  paper.heading(title, 10.5);
  pairsOn(paper, [...when, ...flat(more)]);
  tableOn(paper, list(results));
  if (list(missing).length > 0) {
    paper.heading('Missing', 10.5);
    tableOn(paper, list(missing));
  }
}

function tableOn(paper: Paper, values: readonly Value[]): void {
  const rows = values.map((value) => new Map(flat(value)));
  const paths = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const isSame = (path: string): boolean =>
    !usual.includes(path) &&
    rows.length > 1 &&
    new Set(rows.map((row) => row.get(path))).size === 1;
  const same = paths.filter(isSame);
  const varying = paths.filter((path) => !isSame(path));
  pairsOn(
    paper,
    same.map((path) => [`${path} (all rows)`, rows[0]?.get(path) ?? '']),
  );
  const chosen = usual.filter((path) => varying.includes(path));
  const columns = varying.length <= mostColumns ? varying : chosen.slice(0, mostColumns);
  if (columns.length === 0) return;
  const below = varying.filter((path) => !columns.includes(path));
  const lengthOf = (path: string): number =>
    Math.max(path.length, ...rows.map((row) => Math.min(26, row.get(path)?.length ?? 0))) + 4;
  const whole = columns.reduce((sum, path) => sum + lengthOf(path), 0);
  paper.table(
    columns.map((path) => ({ label: labelOf(path), share: lengthOf(path) / whole })),
    rows.map((row): Row => ({
      cells: columns.map((path) => row.get(path) ?? ''),
      more: below
        .filter((path) => row.has(path))
        .map((path) => `${labelOf(path)}: ${row.get(path)}`)
        .join(' · '),
    })),
  );
}

function flat(value: Value | undefined, path = ''): Flat {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[path, textOf(value)]];
  const isList = Array.isArray(value);
  if (isList && value.every((one) => typeof one === 'string')) {
    return value.length === 0 ? [] : [[path, value.join(', ')]];
  }
  return Object.entries(value).flatMap(([name, one]) => {
    const step = isList ? String(Number(name) + 1) : name;
    return flat(one as Value, path === '' ? step : `${path}${isList ? ' ' : ', '}${step}`);
  });
}

function textOf(value: Value | undefined): string {
  return typeof value === 'boolean'
    ? value
      ? 'yes'
      : 'no'
    : typeof value === 'string'
      ? value
      : '';
}

function pairsOn(paper: Paper, pairs: Flat): void {
  paper.pairs(pairs.map(([path, text]) => [labelOf(path), text]));
}

/** `address, first_line`: Address, first line. */
function labelOf(path: string): string {
  const words = path
    .replaceAll('_', ' ')
    .replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function unwrapped(value: Value, name: string): Members {
  const { [name]: inner, ...more } = members(value);
  return { ...more, ...members(inner) };
}

const members = (value: Value | undefined): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

const list = (value: Value | undefined): readonly Value[] =>
  Array.isArray(value) ? (value as readonly Value[]) : [];
