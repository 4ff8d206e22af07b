import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from '@caregate/seeded';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import { DeskKey } from './desk-key.ts';
import { DeskStore } from './desk-store.ts';
import { sealedByXor } from '../files/sealed-by-xor.testing.ts';

let folder: string;
folderForEach((made) => (folder = made));

const keys = [DeskKey.generate(), DeskKey.generate()] as const;
const addresses = ['https://one.example', 'https://two.example/prefix', '__proto__'] as const;

type Step =
  | { do: 'keep'; address: string; deskId: string; name: string; key: number; keySince: number }
  | { do: 'forget'; address: string }
  | { do: 'restart' | 'elsewhere' };

const address = fc.constantFrom(...addresses);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('keep'),
    address,
    deskId: fc.uuid(),
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
    key: fc.nat(1),
    keySince: fc.maxSafeNat(),
  }),
  fc.record({ do: fc.constant('forget'), address }),
  fc.record({ do: fc.constantFrom('restart', 'elsewhere') }),
);

/** The stored data without the private part of the key. */
const known = (store: DeskStore): unknown =>
  addresses.map((one) => {
    const desk = store.get(one);
    return desk && [desk.deskId, desk.name, desk.key.thumbprint, desk.keySince];
  });

describe('the keys of a desk', () => {
  it.each([
    [true, 'gnome_libsecret'],
    [false, 'basic_text'],
  ])('are kept by a key store (%s: %s), and known to nobody without it', (isSafe, backend) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        rmSync(join(folder, 'desk'), { force: true });
        const open = (key?: number): DeskStore =>
          new DeskStore(sealedByXor(backend, true, key), folder);
        let store = open();
        const model = new Map<string, readonly unknown[]>();
        for (const one of steps) {
          switch (one.do) {
            case 'keep': {
              const key = keys[one.key]!;
              const { deskId, name, keySince } = one;
              store.save(one.address, { deskId, name, key, keySince });
              model.set(one.address, [deskId, name, key.thumbprint, keySince]);
              break;
            }
            case 'forget':
              store.forget(one.address);
              model.delete(one.address);
              break;
            case 'restart':
              store = open();
              if (!isSafe) model.clear();
              break;
            case 'elsewhere':
              // The same file on another computer, which has another key store.
              expect(known(open(0xa7))).toEqual(addresses.map(() => undefined));
              break;
          }
          expect(known(store)).toEqual(addresses.map((each) => model.get(each)));
        }
        const file = join(folder, 'desk');
        if (!isSafe) expect(existsSync(file)).toBe(false);
        const text = existsSync(file) ? readFileSync(file, 'latin1') : '';
        expect([text.includes('"kty"'), existsSync(`${file}.new`)]).toEqual([false, false]);
      }),
    );
  });

  it('are empty if the file is damaged, and can be created again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const storage = sealedByXor();
        writeFileSync(join(folder, 'desk'), storage.encryptString(text));
        const store = new DeskStore(storage, folder);
        expect(known(store)).toEqual(addresses.map(() => undefined));
        store.save(addresses[0], { deskId: 'd-1', name: 'Desk 1', key: keys[0], keySince: 0 });
        expect(new DeskStore(storage, folder).get(addresses[0])?.deskId).toBe('d-1');
      }),
    );
  });
});
