import type { OperationName } from '../../access/permission-table.ts';

type Json = Record<string, unknown>;

/** Fields of an object that are made from others of it; one that is there already stays as it was imported. */
type Derive = (object: Json) => void;

const derivations: Partial<Record<OperationName, Derive>> = {
  resolveUser: deriveOfUser,
  listUsers: ({ users }) => {
    objectsOf(users).forEach(deriveOfUser);
  },
  latestInsurance: ({ insured }) => {
    objectsOf([isObject(insured) ? insured['address'] : undefined]).forEach((address) => {
      copy(address, 'zip_code', 'zip');
    });
  },
  labOrderResult: ({ metadata }) => {
    if (isObject(metadata)) {
      copy(metadata, 'clia_number', 'clia_#');
      const { age } = metadata as { age?: unknown };
      // The one field that is something else there: a number here, a text in the public API.
      if (age !== undefined && age !== null) {
        metadata['age'] = typeof age === 'string' ? age : JSON.stringify(age);
      }
    }
  },
  mindfulnessMinutes: ({ groups }) => {
    const grouped = isObject(groups) ? Object.values(groups).flat() : [];
    objectsOf(grouped)
      .flatMap(({ data }) => objectsOf(data))
      .forEach((point) => {
        copy(point, 'start', 'timestamp');
      });
  },
};

/**
 * A body of one of the five reads as the public API's SDKs require it: with fields that say again what is there, and
 * the age as a text. Nothing is made up. Other operations' bodies come back as they are.
 *
 * @param body JSON text of an object; numbers keep every digit
 */
export function publicSdkBody(operation: OperationName, body: string): string {
  const derive = derivations[operation];
  if (derive === undefined) {
    return body;
  }
  const value = JSON.parse(body, keepDigits) as Json;
  derive(value);
  return JSON.stringify(value);
}

function deriveOfUser({ connected_sources: sources }: Json): void {
  objectsOf(sources).forEach((each) => {
    copy(each, 'source', 'provider');
  });
}

function copy(object: Json, from: string, to: string): void {
  if (object[to] === undefined && object[from] !== undefined) {
    object[to] = object[from];
  }
}

function objectsOf(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// ES2026 and in every Node that runs this; TypeScript does not know it yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Numbers that JavaScript would write otherwise (1.50, 12345678901234567890) stay the text they are. */
function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? rawJSON(source)
    : value;
}
