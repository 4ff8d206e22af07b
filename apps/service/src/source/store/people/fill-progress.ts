import { clockOf, tellSlowWork, type ToldWhere } from '../../../database/tell-slow-work.ts';

/** Told again and again while the search is filled: so many orders and people of so many. */
export type OnFilling = (done: number, of: number) => void;

/** Tells how far filling is and how long it will take. */
export function tellFilling(where: ToldWhere): OnFilling {
  const work = tellSlowWork(where);
  return (done, of) => {
    if (done >= of) {
      work.end();
    } else {
      work.say((seconds) => fillingText(done, of, seconds));
    }
  };
}

function fillingText(done: number, of: number, seconds: number): string {
  const left = clockOf((seconds * (of - done)) / Math.max(done, 1));
  const count = `${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`;
  return `The search of this store is made, once: ${count} orders and people, ${left} left`;
}
