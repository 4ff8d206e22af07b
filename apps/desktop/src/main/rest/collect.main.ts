import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tellRest } from '../ipc/ipc.main.ts';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
let collect: Collect | undefined;

/** Drops what is no longer used from the pages and from here: what answers leave behind them, all passed through. */
export function giveMemoryBack(): void {
  tellRest();
  collect ??= exposed();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** V8's own collection has no other way in, and is there only in contexts made after its flag. */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
