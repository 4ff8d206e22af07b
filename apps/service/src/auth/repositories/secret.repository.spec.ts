import { describe, expect, it } from '@jest/globals';
import { accessEngines, dayMs, minuteMs } from '../access.testing.ts';

describe.each(accessEngines)('on $name', ({ openAccess }) => {
  it('a new cursor secret is used by every instance at once, and cursors of the previous one are valid for a day', async () => {
    const { store, openAnother, clock, acts } = await openAccess();
    const [one, other] = [store.cursorSeal, (await openAnother()).cursorSeal];
    const first = await one.seal('first', 'query');
    clock.nowMs += minuteMs / 2;
    expect(await other.open(first, 'query')).toBe('first');
    const until = await store.secrets.rotateCursorSecret();
    expect(until.getTime()).toBe(clock.nowMs + dayMs);
    const details = { old_valid_until: until.toISOString() };
    expect(acts).toEqual([
      ...[
        {
          operation: 'cursorSecretTurned',
          team_id: null,
          decision: 'allowed',
          details,
        },
      ],
    ]);
    // An instance reads the newest secret within a minute. It must open the other's cursors before that.
    const late = await one.seal('late', 'query');
    clock.nowMs += minuteMs / 2;
    const second = await one.seal('second', 'query');
    expect(await other.open(second, 'query')).toBe('second');
    expect(await other.open(second, 'another query')).toBeUndefined();
    clock.nowMs = until.getTime() - 1;
    for (const seal of [one, other]) {
      expect(await seal.open(first, 'query')).toBe('first');
      expect(await seal.open(late, 'query')).toBe('late');
    }
    clock.nowMs += 1;
    for (const seal of [one, other]) {
      expect(await seal.open(first, 'query')).toBeUndefined();
      expect(await seal.open(late, 'query')).toBeUndefined();
      expect(await seal.open(second, 'query')).toBe('second');
    }
  });

  it('a second rotation is refused for a day, and then the oldest secret opens nothing', async () => {
    const { store, openAnother, clock, acts } = await openAccess();
    const idle = (await openAnother()).cursorSeal;
    const first = await idle.seal('first', 'query');
    const until = await store.secrets.rotateCursorSecret();
    clock.nowMs = until.getTime() - 1;
    await expect((await openAnother()).secrets.rotateCursorSecret()).rejects.toMatchObject({
      message: `The cursor secret was replaced at 2026-01-15T09:30:12.345Z, and cursors of the previous one are valid until ${until.toISOString()}. Replace it again after that.`,
      exitCode: 2,
    });
    expect(await idle.open(first, 'query')).toBe('first');
    clock.nowMs += 1;
    await store.secrets.rotateCursorSecret();
    expect(await idle.open(first, 'query')).toBeUndefined();
    expect(await store.secrets.listCursorSecrets()).toHaveLength(2);
    expect(acts).toHaveLength(2);
  });
});
