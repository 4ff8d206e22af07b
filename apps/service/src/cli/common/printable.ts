const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** Allows CR LF too, since CSV ends its lines with it. */
const CONTROLS_WITHIN_LINES = /(?![\n\t]|\r\n)[\p{Cc}\p{Bidi_Control}]/gu;

/** Replaces control characters, so that stored or received text can't control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROLS, '\uFFFD');
}

/** Like `printable`, for text that contains line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replaceAll(CONTROLS_WITHIN_LINES, '\uFFFD');
}

/** Returns JSON of the value in which the control characters that `JSON.stringify` leaves are escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    CONTROLS,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
