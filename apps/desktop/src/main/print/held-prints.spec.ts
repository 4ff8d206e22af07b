import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { HeldPrints } from './held-prints.ts';
import { heldOf } from './held.testing.ts';

const windowOf = (id: number) => Object.assign(new EventEmitter(), { id });

describe('documents of windows', () => {
  it('stay where another window makes any number of others', () => {
    const prints = new HeldPrints();
    const panel = heldOf();
    prints.hold(windowOf(1), 'panel', panel);
    const other = windowOf(2);
    for (const id of ['a', 'b', 'c', 'd', 'e']) prints.hold(other, id, heldOf());
    expect(prints.get(1, 'panel')).toBe(panel);
    expect(['a', 'b', 'c', 'd', 'e'].filter((id) => prints.get(2, id) !== undefined)).toEqual([
      'b',
      'c',
      'd',
      'e',
    ]);
  });

  it('are read by their own window alone', () => {
    const prints = new HeldPrints();
    prints.hold(windowOf(1), 'a', heldOf());
    expect(prints.get(2, 'a')).toBeUndefined();
  });

  it('go with their window, and with nobody else’s', () => {
    const prints = new HeldPrints();
    const [one, other] = [windowOf(1), windowOf(2)];
    prints.hold(one, 'a', heldOf());
    prints.hold(other, 'b', heldOf());
    one.emit('destroyed');
    expect(prints.get(1, 'a')).toBeUndefined();
    expect(prints.get(2, 'b')).toBeDefined();
  });

  it('all go at a lock; a window is listened to once, however many there are', () => {
    const prints = new HeldPrints();
    const one = windowOf(1);
    const { era } = prints;
    for (let lock = 0; lock < 20; lock += 1) {
      prints.hold(one, 'a', heldOf());
      prints.clear();
      expect(prints.get(1, 'a')).toBeUndefined();
    }
    expect(prints.era).not.toBe(era);
    expect(one.listenerCount('destroyed')).toBe(1);
  });
});
