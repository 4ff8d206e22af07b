export interface MessageOf {
  readonly controlId: string;
  /** Time of the message in minutes after 09:30. */
  readonly sent?: number;
  readonly patient?: string;
  readonly birthDate?: string;
  readonly name?: string;
  readonly placer?: string;
  readonly filler?: string;
  readonly observations?: readonly string[];
}

/** An ORU^R01 message about the sample patient Amara, with the given values replaced. */
export function labMessage({
  controlId,
  sent = 0,
  patient = 'MRN-000101^^^CLINIC^MR',
  birthDate = '19850307',
  name = 'Okonkwo^Amara',
  placer = 'P-1',
  filler = 'F-1',
  observations = [glucose('5.40')],
}: MessageOf): Buffer {
  const minute = String(30 + sent).padStart(2, '0');
  return Buffer.from(
    [
      `MSH|^~\\&|LIS|NORTHLAB^05D1234567^CLIA|CG|CLINIC|2026010509${minute}||ORU^R01^ORU_R01|${controlId}|P|2.5.1`,
      `PID|1||${patient}||${name}||${birthDate}`,
      `OBR|1|${placer}|${filler}|24323-8^Metabolic panel^LN|||20260104`,
      ...observations,
      '',
    ].join('\r'),
  );
}

export const glucose = (value: string, status = 'F', subId = ''): string =>
  `OBX|1|NM|2345-7^Glucose^LN|${subId}|${value}|mmol/L|3.9-5.6|N|||${status}`;

export const sodium = (value: string, status = 'F'): string =>
  `OBX|2|NM|2951-2^Sodium^LN||${value}|mmol/L|135-145|N|||${status}`;

export async function allOf<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) {
    all.push(piece);
  }
  return all;
}
