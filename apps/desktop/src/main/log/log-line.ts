/** The log has only these names and no free text, so that it never has a patient's name. */
export type LogEvent =
  | 'started'
  | 'signed-in'
  | 'signed-out'
  | 'locked'
  | 'unlocked'
  | 'call-refused'
  | 'call-failed'
  | 'navigation-denied'
  | 'window-denied'
  | 'permission-denied'
  | 'demo-not-enrolled'
  | 'page-crashed'
  | 'page-failed'
  | 'link-asked'
  | 'link-refused'
  | 'update'
  | 'failed';

export type LogDetails = Readonly<Record<string, string>>;

export function formatLogLine(event: LogEvent, details: LogDetails): string {
  const words = Object.entries(details).map(([name, value]) => `${name}=${redact(value)}`);
  return [event, ...words].join(' ');
}

/** Removes personal data that is logged by mistake. The rules are applied in this order. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/cg_[a-z]+_[0-9A-Za-z_-]+/gu, '[key]'],
  [/(?<![a-z\d+.-])[a-z\d+.-]+:\/\/[^\s"'<>]+/giu, '[address]'],
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu, '[e-mail]'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/giu, '[id]'],
  [
    /\b(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}|\d\d?[-/]\d\d?[-/]\d\d)\b/gu,
    '[date]',
  ],
  [/(?<!\.js:(?:\d+:)?)\b[A-Za-z]{0,6}-?\d{4,}\b/gu, '[number]'],
];

export function redact(text: string): string {
  return rules.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    text,
  );
}
