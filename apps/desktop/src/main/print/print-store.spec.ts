import { describe, expect, it } from '@jest/globals';
import { PrintStore } from './print-store.ts';
import { storedPrint } from './stored-print.testing.ts';

const five = ['b', 'c', 'd', 'e', 'f'];

describe('documents that were laid out', () => {
  it('stay where they are recorded and not sent yet, until they are sent or cancelled', async () => {
    const prints = new PrintStore();
    const [sent, cancelled] = [storedPrint(), storedPrint()];
    sent.recordedCopies = 1;
    cancelled.recordedCopies = 1;
    prints.add('sent', sent);
    prints.add('cancelled', cancelled);
    for (const id of five) prints.add(id, storedPrint());
    expect(prints.get('sent')).toBe(sent);
    expect(prints.get('cancelled')).toBe(cancelled);
    // They take no place from what the panel shows.
    expect(five.filter((id) => prints.get(id) !== undefined)).toEqual(['c', 'd', 'e', 'f']);
    await prints.printing('sent', (stored) => {
      stored.recordedCopies = undefined;
      return Promise.resolve();
    });
    expect(prints.get('sent')).toBeUndefined();
    prints.cancel('cancelled');
    expect(prints.get('cancelled')).toBeUndefined();
    expect(prints.get('c')).toBeDefined();
  });

  it('stay while they are being recorded, however much is made meanwhile', async () => {
    const prints = new PrintStore();
    prints.add('a', storedPrint());
    const stays = await prints.printing('a', (stored, isWanted) => {
      for (const id of five) prints.add(id, storedPrint());
      return Promise.resolve(isWanted() && prints.get('a') === stored);
    });
    expect(stays).toBe(true);
    expect(prints.get('a')).toBeUndefined();
    expect(await prints.printing('a', () => Promise.resolve('printed'))).toBeUndefined();
  });

  it.each<[string, (prints: PrintStore) => void]>([
    [
      'cancelled',
      (prints) => {
        prints.cancel('a');
      },
    ],
    [
      'discarded by a lock',
      (prints) => {
        prints.clear();
      },
    ],
  ])('aren’t wanted any more once they are %s, and then stay for no print', async (how, end) => {
    const prints = new PrintStore();
    const { era } = prints;
    prints.add('a', storedPrint());
    await prints.printing('a', async (stored, isWanted) => {
      stored.recordedCopies = 1;
      expect(isWanted()).toBe(true);
      end(prints);
      expect(isWanted()).toBe(false);
      return Promise.resolve();
    });
    expect(prints.get('a')).toBeUndefined();
    expect(prints.era === era).toBe(how === 'cancelled');
  });
});
