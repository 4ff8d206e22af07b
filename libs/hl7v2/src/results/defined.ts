type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
} & { [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined> };

export function defined<T extends object>(of: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(of).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
