import type { CallOptions } from '../src/call.ts';
import type { HealthDataClient } from '../src/client.ts';
import { all, USER_ID } from './setup.ts';

const june = { startDate: '2025-06-01' };
/** Arguments of the methods that take anything other than a single ID. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  'users.list': [{}],
  'users.iterate': [{}],
  'users.latestInsurance': [USER_ID, {}],
  'orders.list': [{}],
  'orders.iterate': [{}],
  'people.search': ['amara', 8],
  'mindfulnessMinutes.grouped': [USER_ID, june],
  'mindfulnessMinutes.pages': [USER_ID, june],
  'mindfulnessMinutes.points': [USER_ID, june],
};

export type Method = (client: HealthDataClient, options?: CallOptions) => Promise<unknown>;

/** Returns every method of the client by group and name, ready to call. An iterator's method collects all items. */
export function listMethods(client: HealthDataClient): [name: string, method: Method][] {
  return Object.entries(listGroups(client)).flatMap(([group, { constructor }]) =>
    Object.getOwnPropertyNames(constructor.prototype)
      .filter((name) => name !== 'constructor')
      .map((name): [string, Method] => {
        const parameters = ARGUMENTS[`${group}.${name}`] ?? [USER_ID];
        return [
          `${group}.${name}`,
          async (target, options) => {
            const result = listGroups(target)[group]?.[name]?.(...parameters, options);
            return await (isIterable(result) ? all(result) : result);
          },
        ];
      }),
  );
}

type Group = Readonly<Record<string, (...parameters: unknown[]) => unknown>>;

function listGroups({
  users,
  orders,
  people,
  timeseries,
}: HealthDataClient): Record<string, Group> {
  const { mindfulnessMinutes } = timeseries;
  return { users, orders, people, mindfulnessMinutes } as unknown as Record<string, Group>;
}

function isIterable(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
