type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
} & { [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined> };

/** Returns a copy without the members that are undefined. */
export function defined<T extends object>(of: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(of).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
