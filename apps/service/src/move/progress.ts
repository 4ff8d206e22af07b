/** Called with the current step and its progress, in rows or records. */
export type OnProgress = (what: string, done: number, of: number) => void;
