import { describe, expect, it } from '@jest/globals';
import { ZOOMS } from '../../bridge/app-state.ts';
import { zoomed } from './zoom.ts';

describe('zoomed', () => {
  it('goes through every step, and no further', () => {
    let zoom: number = ZOOMS[0];
    const up = [zoom];
    for (let times = 0; times < ZOOMS.length; times += 1) up.push((zoom = zoomed(zoom, 'in')));
    expect(up).toEqual([...ZOOMS, 300]);
    const down = [zoom];
    for (let times = 0; times < ZOOMS.length; times += 1) down.push((zoom = zoomed(zoom, 'out')));
    expect(down).toEqual([...ZOOMS.toReversed(), 50]);
    expect(zoomed(zoom, 'reset')).toBe(100);
  });

  it('comes from a zoom of its own, as a policy may have it, to the next step', () => {
    expect(zoomed(120, 'in')).toBe(125);
    expect(zoomed(120, 'out')).toBe(110);
  });
});
