const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** Allows CR LF too, since CSV ends its lines with it. */
const CONTROLS_WITHIN_LINES = /(?![\n\t]|\r\n)[\p{Cc}\p{Bidi_Control}]/gu;

/** Replaces control characters, so that stored or received text can't control the terminal. */
export function sanitizeText(text: string): string {
  return text.replaceAll(CONTROLS, '\uFFFD');
}

/** Like `sanitizeText`, for text that contains line breaks and tabs. */
export function sanitizeLines(text: string): string {
  return text.replaceAll(CONTROLS_WITHIN_LINES, '\uFFFD');
}

/** Returns JSON of the value in which the control characters that `JSON.stringify` leaves are escaped. */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    CONTROLS,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
