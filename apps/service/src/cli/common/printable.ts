const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** Also CSV ends its lines with CR and LF. */
const CONTROLS_WITHIN_LINES = /(?![\n\t]|\r\n)[\p{Cc}\p{Bidi_Control}]/gu;

/** Text of others must not steer a terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROLS, '\uFFFD');
}

/** The same for text that has lines and tabs of its own. */
export function printableLines(text: string): string {
  return text.replaceAll(CONTROLS_WITHIN_LINES, '\uFFFD');
}

/** JSON that is the same value, without the control characters that `JSON.stringify` leaves. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    CONTROLS,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
