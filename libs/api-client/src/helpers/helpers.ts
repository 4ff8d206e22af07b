/** Around the calls, in an entry of its own: programs that need none of it have none of it. */
export { logHooks } from './log-hooks.ts';
export type { Logger } from './log-hooks.ts';
export { toArray } from './to-array.ts';
