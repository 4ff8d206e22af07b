/** What is being done, and how far it is, in rows or records. */
export type OnProgress = (what: string, done: number, of: number) => void;
