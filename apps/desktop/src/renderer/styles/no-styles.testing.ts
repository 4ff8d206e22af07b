/** Replaces every style sheet in specs. */
export default {} as Readonly<Record<string, string>>;
