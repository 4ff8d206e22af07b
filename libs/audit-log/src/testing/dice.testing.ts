/** A number from 0 to below `below`. */
export type Dice = (below: number) => number;

/** Numbers that repeat for the same seed (mulberry32). */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function oneOf<T>(dice: Dice, of: readonly T[]): T {
  return of[dice(of.length)] as T;
}
