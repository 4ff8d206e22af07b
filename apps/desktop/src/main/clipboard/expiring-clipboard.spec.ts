import { describe, expect, it } from '@jest/globals';
import { ExpiringClipboard } from './expiring-clipboard.ts';

function setUp() {
  const held = { text: '', selection: '' };
  const due: { readonly at: number; readonly callback: () => void }[] = [];
  let now = 0;
  const kept = new ExpiringClipboard({
    clipboard: {
      readText: () => held.text,
      writeText: (text) => {
        held.text = text;
      },
      clear: () => {
        held.text = '';
      },
      clearSelection: () => {
        held.selection = '';
      },
    },
    after: (milliseconds, callback) => due.push({ at: now + milliseconds, callback }),
  });
  const pass = async (seconds: number): Promise<void> => {
    now += seconds * 1000;
    for (const { callback } of due.splice(0).filter((one) => one.at <= now || !due.push(one))) {
      callback();
    }
    await Promise.resolve();
  };
  return { held, kept, pass };
}

describe('ExpiringClipboard', () => {
  it('clears a copy after sixty seconds and not before', async () => {
    const { held, kept, pass } = setUp();
    await kept.copy('MRN-1');
    await pass(59);
    expect(held.text).toBe('MRN-1');
    await pass(1);
    expect(held.text).toBe('');
  });

  it('ignores a copy if a later one was requested, even if its record took longer', async () => {
    const { held, kept } = setUp();
    const older = kept.request();
    expect(await kept.copy('MRN-2', kept.request())).toBe(true);
    expect(await kept.copy('MRN-1', older)).toBe(false);
    expect(held.text).toBe('MRN-2');
  });

  it('makes an earlier copy if the later one failed', async () => {
    const { held, kept } = setUp();
    const older = kept.request();
    kept.request();
    expect(await kept.copy('MRN-1', older)).toBe(true);
    expect(held.text).toBe('MRN-1');
  });

  it('clears the copy before a failed one, but not a later one', async () => {
    const { held, kept } = setUp();
    await kept.copy('MRN-1');
    const failed = kept.request();
    await kept.discard(failed);
    expect(held.text).toBe('');
    const late = kept.request();
    await kept.copy('MRN-3');
    await kept.discard(late);
    expect(held.text).toBe('MRN-3');
  });

  it('restarts the time when the same text is copied again', async () => {
    const { held, kept, pass } = setUp();
    await kept.copy('MRN-1');
    await pass(40);
    await kept.copy('MRN-1');
    await pass(20);
    expect(held.text).toBe('MRN-1');
    await pass(40);
    expect(held.text).toBe('');
  });

  it('keeps what another program has copied since', async () => {
    const { held, kept, pass } = setUp();
    await kept.copy('MRN-1');
    held.text = 'somebody’s shopping list';
    await kept.clear();
    await pass(60);
    expect(held.text).toBe('somebody’s shopping list');
  });

  it('clears clipboard and selection at once on request', async () => {
    const { held, kept } = setUp();
    await kept.copy('MRN-1');
    held.selection = 'MRN-1';
    await kept.clear();
    expect(held).toEqual({ text: '', selection: '' });
  });
});
