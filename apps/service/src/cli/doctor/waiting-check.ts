import { ageText } from '../common/age-text.ts';
import { examine, Warning, type Finding } from './finding.ts';

/** As long as a patient may take to be imported after the result; the alert CaregateResultsWait waits as long. */
const LONGEST_WAIT_MS = 4 * 3_600_000;

/** A query for SQLite and PostgreSQL; `oldest_us` is null if nothing waits. */
export const WAITING_MESSAGES =
  "select count(*) as messages, min(received_us) as oldest_us from hl7_messages where waits_for <> ''";

/** Results of laboratories that nobody sees, since the patient is not known for certain. @param row of `WAITING_MESSAGES` */
export async function checkWaitingMessages(
  row: { readonly messages?: unknown; readonly oldest_us?: unknown } = {},
  dataDir: string,
): Promise<Finding[]> {
  const next = `caregate import pending --data ${dataDir} says what each waits for.`;
  return await examine('results', next, () => {
    const [messages, waitedMs] = [Number(row.messages), Date.now() - Number(row.oldest_us) / 1000];
    if (messages === 0) {
      return 'No message of a laboratory waits for its patient.';
    }
    const one = messages === 1 ? 'message of a laboratory waits' : 'messages of laboratories wait';
    const text = `${messages.toLocaleString('en')} ${one} for the patient, the oldest for ${ageText(waitedMs)}.`;
    if (waitedMs > LONGEST_WAIT_MS) {
      throw new Warning(text);
    }
    return text;
  });
}
