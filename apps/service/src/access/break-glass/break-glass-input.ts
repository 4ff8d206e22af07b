import { ProblemError, invalidParameters, type FieldError } from '../../problem/problem-error.ts';
import {
  LONGEST_TEXT,
  OUTCOMES,
  REASON_CODES,
  SHORTEST_TEXT,
  type Outcome,
  type ReasonCode,
} from './break-glass-store.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** PostgreSQL stores none in a text. */
const NO_NUL = 'must not hold a NUL character';

/** @throws ProblemError 400 or 422, which never repeats what was sent */
export function askOf(body: unknown): { reasonCode: ReasonCode; text: string; userId: string } {
  const fields = fieldsOf(body, ['reason_code', 'text', 'user_id']);
  const { reason_code: reasonCode, user_id: userId } = fields;
  const text = typeof fields['text'] === 'string' ? fields['text'].trim() : '';
  const length = Array.from(text).length;
  const errors: FieldError[] = [];
  if (!isOneOf(REASON_CODES, reasonCode)) {
    errors.push({ parameter: 'reason_code', reason: `is not one of ${REASON_CODES.join(', ')}` });
  }
  if (length < SHORTEST_TEXT || length > LONGEST_TEXT) {
    const reason = `is not ${SHORTEST_TEXT} to ${LONGEST_TEXT} characters of text`;
    errors.push({ parameter: 'text', reason });
  } else if (text.includes('\0')) {
    errors.push({ parameter: 'text', reason: NO_NUL });
  }
  if (typeof userId !== 'string' || !uuid.test(userId)) {
    errors.push({ parameter: 'user_id', reason: 'is not a UUID' });
  }
  if (errors.length > 0 || !isOneOf(REASON_CODES, reasonCode) || typeof userId !== 'string') {
    throw invalidParameters(...errors);
  }
  return { reasonCode, text, userId };
}

/** @throws ProblemError 400 or 422 */
export function reviewOf(body: unknown): { outcome: Outcome; note: string | undefined } {
  const { outcome, note } = fieldsOf(body, ['outcome', 'note']);
  const errors: FieldError[] = [];
  if (!isOneOf(OUTCOMES, outcome)) {
    errors.push({ parameter: 'outcome', reason: `is not one of ${OUTCOMES.join(', ')}` });
  }
  if (note !== undefined && (typeof note !== 'string' || note.length > LONGEST_TEXT)) {
    errors.push({ parameter: 'note', reason: `is not text of ${LONGEST_TEXT} characters at most` });
  } else if (note?.includes('\0') === true) {
    errors.push({ parameter: 'note', reason: NO_NUL });
  }
  if (errors.length > 0 || !isOneOf(OUTCOMES, outcome)) {
    throw invalidParameters(...errors);
  }
  return { outcome, note: typeof note === 'string' ? note : undefined };
}

/** Which grants to list: those that await review, or all. @throws ProblemError 422 */
export function allOf(query: unknown): boolean {
  const { state = 'open' } = fieldsOf(query ?? {}, ['state']);
  if (state !== 'open' && state !== 'all') {
    throw invalidParameters({ parameter: 'state', reason: 'is not one of open, all' });
  }
  return state === 'all';
}

function fieldsOf(value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProblemError({ type: 'malformed-request', detail: 'Send a JSON object.' });
  }
  if (Object.keys(value).some((name) => !known.includes(name))) {
    const reason = `has a name other than ${known.join(', ')}`;
    throw invalidParameters({ parameter: '(unknown)', reason });
  }
  return value as Readonly<Record<string, unknown>>;
}

/** @throws ProblemError 404 for what is no id of a grant: an id that is not found, as any other */
export function grantIdOf(params: unknown): string {
  const { break_glass_id: grantId } = params as { break_glass_id?: string };
  if (grantId === undefined || !uuid.test(grantId)) {
    throw new ProblemError({ type: 'not-found' });
  }
  return grantId;
}

function isOneOf<Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return (values as readonly unknown[]).includes(value);
}
