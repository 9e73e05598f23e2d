import fc from 'fast-check';
import { decideRollout, releasedAll, stageEnd, type RolloutProgress, type RolloutStage } from './rollout.js';

const stage = (more: Partial<RolloutStage>): RolloutStage => ({
  items: null,
  ratio: null,
  maxFailureRatio: null,
  approval: false,
  ...more,
});
const stages = [
  stage({ items: 100, maxFailureRatio: '0.01' }),
  stage({ ratio: '0.1', maxFailureRatio: '0.02' }),
  stage({ ratio: '1' }),
];
const at = (more: Partial<RolloutProgress>): RolloutProgress => ({
  stage: 0,
  hold: null,
  released: 0,
  total: 10_000,
  spawned: 10_000,
  ...more,
});

describe('a rollout', () => {
  it('releases its first stage at once', () => {
    expect(decideRollout(stages, at({ total: null, spawned: 0 }), null)).toEqual({
      kind: 'release',
      stage: 0,
      released: 100,
    });
  });

  it('waits for a total where a stage is a share of it', () => {
    expect(decideRollout(stages.slice(1), at({ total: null }), null).kind).toBe('wait');
    expect(decideRollout(stages.slice(1), at({}), null)).toEqual({ kind: 'release', stage: 0, released: 1_000 });
  });

  it('widens when what was released has settled within its ratio, and not before', () => {
    const first = at({ released: 100 });
    expect(decideRollout(stages, { ...first, spawned: 99 }, null).kind).toBe('wait');
    expect(decideRollout(stages, first, null).kind).toBe('count');
    expect(decideRollout(stages, first, { failed: 1, open: 1 }).kind).toBe('wait');
    expect(decideRollout(stages, first, { failed: 1, open: 0 })).toEqual({
      kind: 'release',
      stage: 1,
      released: 1_000,
    });
    expect(decideRollout(stages, at({ stage: 1, released: 1_000 }), { failed: 20, open: 0 })).toEqual({
      kind: 'release',
      stage: 2,
      released: releasedAll,
    });
  });

  it('stops when more failed, until somebody accepts that', () => {
    const first = at({ released: 100 });
    expect(decideRollout(stages, first, { failed: 2, open: 0 })).toEqual({
      kind: 'stop',
      failed: 2,
      released: 100,
      allowed: '0.01',
    });
    expect(decideRollout(stages, { ...first, hold: 'stopped' }, { failed: 0, open: 0 }).kind).toBe('wait');
    expect(decideRollout(stages, { ...first, hold: 'accepted' }, null)).toMatchObject({ kind: 'release', stage: 1 });
  });

  it('asks before a stage that wants approval, the first one included', () => {
    const asking = [stage({ items: 1, approval: true }), stage({ ratio: '1', approval: true })];
    expect(decideRollout(asking, at({}), null).kind).toBe('ask');
    expect(decideRollout(asking, at({ hold: 'approval' }), null).kind).toBe('wait');
    expect(decideRollout(asking, at({ hold: 'accepted' }), null)).toEqual({ kind: 'release', stage: 0, released: 1 });
    expect(decideRollout(asking, at({ released: 1 }), { failed: 0, open: 0 }).kind).toBe('ask');
  });

  it('never takes back what it has released, and ends with everything', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 5 });
    fc.assert(
      fc.property(sizes, fc.nat(10_000), (items, total) => {
        const list = [...[...items].sort((a, b) => a - b).map((n) => stage({ items: n })), stage({ ratio: '1' })];
        let progress = at({ total, spawned: total });
        for (let turn = 0; turn <= list.length; turn++) {
          const next = decideRollout(list, { ...progress, spawned: releasedAll }, { failed: 0, open: 0 });
          if (next.kind !== 'release') break;
          expect(next.released).toBeGreaterThanOrEqual(progress.released);
          progress = { ...progress, stage: next.stage, released: next.released };
        }
        expect(progress.released).toBe(releasedAll);
      }),
    );
  });

  it('rounds a share up, so that no stage of a list is empty', () => {
    expect(stageEnd(stage({ ratio: '0.1' }), 15)).toBe(2);
    expect(stageEnd(stage({ ratio: '0.1' }), 20)).toBe(2);
    expect(stageEnd(stage({ ratio: '0.3' }), 0)).toBe(0);
  });
});
