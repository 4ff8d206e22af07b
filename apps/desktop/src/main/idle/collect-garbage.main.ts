import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { webContents } from 'electron';
import { IDLE_CHANNEL } from '../../bridge/api.ts';
import { windowContents } from '../window/window.main.ts';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
let collect: Collect | undefined;

/** Collects garbage in the pages and in main, both of which saw the answers. */
export function collectGarbage(): void {
  for (const id of windowContents) webContents.fromId(id)?.send(IDLE_CHANNEL);
  collect ??= exposedCollect();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** V8 exposes gc only to contexts made after its flag is set. */
function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
