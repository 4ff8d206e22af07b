/** Removes null and undefined members, which both mean "absent" in the service's answers. */
export function withoutNullish<T extends object>(value: {
  readonly [K in keyof T]: T[K] | null | undefined;
}): T {
  const members = Object.entries(value).filter(
    ([, member]) => member !== undefined && member !== null,
  );
  return Object.fromEntries(members) as T;
}
