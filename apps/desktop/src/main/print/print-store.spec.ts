import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { PrintStore } from './print-store.ts';
import { storedPrint } from './stored-print.testing.ts';

const windowOf = (id: number) => Object.assign(new EventEmitter(), { id });

describe('documents of windows', () => {
  it('stay where another window makes any number of others', () => {
    const prints = new PrintStore();
    const panel = storedPrint();
    prints.add(windowOf(1), 'panel', panel);
    const other = windowOf(2);
    for (const id of ['a', 'b', 'c', 'd', 'e']) prints.add(other, id, storedPrint());
    expect(prints.get(1, 'panel')).toBe(panel);
    expect(['a', 'b', 'c', 'd', 'e'].filter((id) => prints.get(2, id) !== undefined)).toEqual([
      'b',
      'c',
      'd',
      'e',
    ]);
  });

  it('stay where they are recorded and not sent yet, until they are sent or cancelled', async () => {
    const prints = new PrintStore();
    const one = windowOf(1);
    const makeFive = (): void => {
      for (const id of ['b', 'c', 'd', 'e', 'f']) prints.add(one, id, storedPrint());
    };
    const [sent, cancelled] = [storedPrint(), storedPrint()];
    sent.recordedCopies = 1;
    cancelled.recordedCopies = 1;
    prints.add(one, 'sent', sent);
    prints.add(one, 'cancelled', cancelled);
    makeFive();
    expect(prints.get(1, 'sent')).toBe(sent);
    expect(prints.get(1, 'cancelled')).toBe(cancelled);
    // They take no place from what the panel shows.
    const shown = ['b', 'c', 'd', 'e', 'f'].filter((id) => prints.get(1, id) !== undefined);
    expect(shown).toEqual(['c', 'd', 'e', 'f']);
    await prints.printing(1, 'sent', (stored) => {
      stored.recordedCopies = undefined;
      return Promise.resolve();
    });
    expect(prints.get(1, 'sent')).toBeUndefined();
    prints.cancel(1, 'cancelled');
    expect(prints.get(1, 'cancelled')).toBeUndefined();
    expect(prints.get(1, 'c')).toBeDefined();
  });

  it('stay while they are being recorded, however much is made meanwhile', async () => {
    const prints = new PrintStore();
    const one = windowOf(1);
    prints.add(one, 'a', storedPrint());
    const stays = await prints.printing(1, 'a', (stored, isWanted) => {
      for (const id of ['b', 'c', 'd', 'e', 'f']) prints.add(one, id, storedPrint());
      return Promise.resolve(isWanted() && prints.get(1, 'a') === stored);
    });
    expect(stays).toBe(true);
    expect(prints.get(1, 'a')).toBeUndefined();
    expect(await prints.printing(1, 'a', () => Promise.resolve('printed'))).toBeUndefined();
  });

  it.each<[string, (prints: PrintStore, sender: EventEmitter) => void]>([
    [
      'cancelled',
      (prints) => {
        prints.cancel(1, 'a');
      },
    ],
    [
      'forgotten',
      (prints) => {
        prints.clear();
      },
    ],
    ['of a window that is gone', (_prints, sender) => sender.emit('destroyed')],
  ])('aren’t wanted any more once they are %s, and then stay for no print', async (_how, end) => {
    const prints = new PrintStore();
    const [one, other] = [windowOf(1), windowOf(2)];
    prints.add(one, 'a', storedPrint());
    prints.add(other, 'a', storedPrint());
    await prints.printing(1, 'a', async (stored, isWanted) => {
      stored.recordedCopies = 1;
      // Another window's of the same name is another one.
      prints.cancel(2, 'a');
      expect(isWanted()).toBe(true);
      end(prints, one);
      expect(isWanted()).toBe(false);
      return Promise.resolve();
    });
    expect(prints.get(1, 'a')).toBeUndefined();
  });

  it('are read by their own window alone', () => {
    const prints = new PrintStore();
    prints.add(windowOf(1), 'a', storedPrint());
    expect(prints.get(2, 'a')).toBeUndefined();
  });

  it('go with their window, and with nobody else’s', () => {
    const prints = new PrintStore();
    const [one, other] = [windowOf(1), windowOf(2)];
    prints.add(one, 'a', storedPrint());
    prints.add(other, 'b', storedPrint());
    one.emit('destroyed');
    expect(prints.get(1, 'a')).toBeUndefined();
    expect(prints.get(2, 'b')).toBeDefined();
  });

  it('all go at a lock; a window is listened to once, however many there are', () => {
    const prints = new PrintStore();
    const one = windowOf(1);
    const { era } = prints;
    for (let lock = 0; lock < 20; lock += 1) {
      prints.add(one, 'a', storedPrint());
      prints.clear();
      expect(prints.get(1, 'a')).toBeUndefined();
    }
    expect(prints.era).not.toBe(era);
    expect(one.listenerCount('destroyed')).toBe(1);
  });
});
