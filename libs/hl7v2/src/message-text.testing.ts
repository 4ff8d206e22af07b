import type {
  MessagePlan,
  OrderPlan,
  RangePlan,
  ResultPlan,
  Time,
  ValuePlan,
} from './message-plan.testing.ts';

/** The bytes of a message. */
export function bytesOf(plan: MessagePlan): Buffer {
  const { charset, controlId, isEnhanced, laboratory, lineEnd, person, sent, separators } = plan;
  const writer = new Writer(separators);
  const msh = writer.segment('MSH', {
    2: separators.slice(1),
    3: writer.text('LIS'),
    4: writer.parts(laboratory.name, laboratory.clia, laboratory.clia && 'CLIA'),
    ...{ 5: 'EHR', 7: hl7(sent), 9: writer.parts('ORU', 'R01'), 10: writer.text(controlId) },
    ...{ 11: 'P', 12: plan.version, 15: isEnhanced ? 'AL' : undefined, 18: charset },
  });
  const pid = writer.segment('PID', {
    3: writer.repeated(
      writer.parts(person.id, undefined, undefined, `not ${person.authority}`),
      writer.parts(person.id, undefined, undefined, person.authority),
    ),
    5: writer.parts(person.family, person.given),
    7: person.birthDate.replaceAll('-', ''),
  });
  const others = plan.orders.flatMap((order) => orderLines(writer, order, plan.version));
  const lines = [msh, pid, writer.segment('PV1', { 2: 'O' }), ...others, writer.segment('ZPS', {})];
  const text = lines.map((line) => `${line}${lineEnd}`).join('');
  return Buffer.from(text, charset === 'UNICODE UTF-8' ? 'utf8' : 'latin1');
}

/** In a frame of MLLP. */
export function framed(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(0x0b), bytes, Buffer.of(0x1c, 0x0d)]);
}

/** Of what is split. */
export async function allOf<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) {
    all.push(piece);
  }
  return all;
}

/** By the number of the field. */
type Fields = Readonly<Record<number, string | undefined>>;

class Writer {
  readonly #separators: string;

  constructor(separators: string) {
    this.#separators = separators;
  }

  segment(name: string, fields: Fields): string {
    const last = Math.max(0, ...Object.keys(fields).map(Number));
    const all = Array.from({ length: last + 1 }, (_none, at) => fields[at] ?? '');
    all.splice(0, name === 'MSH' ? 2 : 1, name);
    return all.join(this.#separators[0]);
  }

  /** Whether laboratories send this unit as it is: a caret between digits is part of it. */
  isPlain(unit: string): boolean {
    return unit === '10^3/uL' && this.#separators === '|^~\\&';
  }

  /** Components. */
  parts(...parts: readonly (string | undefined)[]): string {
    return parts.map((part) => this.text(part ?? '')).join(this.#separators[1]);
  }

  repeated(...values: readonly string[]): string {
    return values.join(this.#separators[2]);
  }

  text(text: string): string {
    const escape = this.#separators[3] ?? '';
    const codes: Readonly<Record<string, string>> = { '\n': '.br' };
    return Array.from(text, (sign) => {
      const place = this.#separators.indexOf(sign);
      const code = place === -1 ? codes[sign] : 'FSRET'[place];
      return code === undefined ? sign : `${escape}${code}${escape}`;
    }).join('');
  }
}

function orderLines(writer: Writer, order: OrderPlan, version: string): string[] {
  const { firstPanel, notes = [], provider, reported, results, specimen } = order;
  const numbers = {
    2: order.placer === undefined ? undefined : writer.parts(order.placer, 'EHR'),
    3: order.filler === undefined ? undefined : writer.parts(order.filler, 'LIS'),
  };
  const obr = writer.segment('OBR', {
    ...(order.areNumbersInOrc === true ? {} : numbers),
    4: order.test === undefined ? undefined : writer.parts('PANEL', order.test, 'L'),
    ...{ 7: order.collected?.replaceAll('-', ''), 14: order.received?.replaceAll('-', '') },
    16:
      provider &&
      writer.parts(
        ...[provider.npi, provider.family, provider.given, ...Array<''>(5).fill('')],
        provider.npi && 'NPI',
      ),
    ...{ 22: reported && hl7(reported), 25: order.status },
  });
  const orc = writer.segment('ORC', {
    1: 'RE',
    ...(order.areNumbersInOrc === true ? numbers : {}),
  });
  const first = firstPanel ?? results.length;
  const lines = (all: readonly ResultPlan[]): string[] =>
    all.flatMap((each) => resultLines(writer, each));
  return [
    ...[orc, obr, ...notes.map((note) => noteLine(writer, note))],
    ...lines(results.slice(0, first)),
    ...(firstPanel === undefined ? [] : [orc, obr, ...lines(results.slice(first))]),
    ...(specimen === undefined || !version.startsWith('2.5')
      ? []
      : [writer.segment('SPM', { 1: '1', 2: writer.parts('', specimen) })]),
  ];
}

function noteLine(writer: Writer, note: string): string {
  return writer.segment('NTE', { 1: '1', 3: writer.text(note) });
}

function resultLines(writer: Writer, result: ResultPlan): string[] {
  const { flags = [], loinc, local, name, notes = [], range, unit } = result;
  const codes = [
    ...(local === undefined ? [] : [[local, name, 'L']]),
    ...(loinc === undefined ? [] : [[loinc, name, 'LN']]),
  ];
  const obxs = valuesOf(writer, result.value).map((value) =>
    writer.segment('OBX', {
      ...{
        2: result.value.as,
        3: writer.parts(...(codes.length === 0 ? ['', name] : codes.flat())),
      },
      ...{
        4: result.subId && writer.text(result.subId),
        5: value,
        6: unit && (writer.isPlain(unit) ? unit : writer.text(unit)),
      },
      ...{ 7: range && writer.text(rangeText(range)), 8: writer.repeated(...flags) },
      ...{ 11: result.status, 14: result.observed && hl7(result.observed) },
      19: result.analysed && hl7(result.analysed),
    }),
  );
  return [...obxs, ...notes.map((note) => noteLine(writer, note))];
}

function valuesOf(writer: Writer, value: ValuePlan): string[] {
  switch (value.as) {
    case 'NM':
    case 'ST':
      return [writer.text(value.text)];
    case 'CE':
      return [writer.parts('CODE', value.text, 'L')];
    case 'CWE':
      return [writer.parts('CODE', '', 'L', '', '', '', '', '', value.text)];
    case 'SN':
      return [writer.parts(...value.parts)];
    case 'TX':
    case 'FT':
      switch (value.by) {
        case 'OBX':
          return value.lines.map((line) => writer.text(line));
        case 'repetition':
          return [writer.repeated(...value.lines.map((line) => writer.text(line)))];
        case 'escape':
          return [writer.text(value.lines.join('\n'))];
      }
  }
}

export function rangeText(range: RangePlan): string {
  if ('text' in range) {
    return range.text;
  }
  const { low, high } = range;
  return high === undefined ? `>${low}` : low === undefined ? `<${high}` : `${low}-${high}`;
}

function hl7({ local, offset = '' }: Time): string {
  return `${local.replace(/\D/gu, '')}${offset.replace(':', '')}`;
}
