import { pressuresOf, type PressureLimits, type PressureMeasures } from './pressure.js';

const calm: PressureMeasures = {
  storedBytes: 100,
  payloadBytes: 10,
  settlingLagMs: null,
  standbyLagMs: null,
  brokerBlocked: false,
};
const limits: PressureLimits = { storageBytes: 100, payloadBytes: 10, lagMs: 1_000 };
const kinds = (measures: Partial<PressureMeasures>, bounds: Partial<PressureLimits> = {}) =>
  pressuresOf({ ...calm, ...measures }, { ...limits, ...bounds }).map(({ kind }) => kind);

describe('pressure', () => {
  it('is none at the bounds, and each kind beyond its own', () => {
    expect(kinds({ settlingLagMs: 1_000, standbyLagMs: 1_000 })).toEqual([]);
    expect(kinds({ storedBytes: 101 })).toEqual(['STORAGE_BUDGET']);
    expect(kinds({ payloadBytes: 11 })).toEqual(['PAYLOAD_BUDGET']);
    expect(kinds({ settlingLagMs: 1_001 })).toEqual(['DATABASE_LAG']);
    expect(kinds({ standbyLagMs: 1_001 })).toEqual(['DATABASE_LAG']);
    expect(kinds({ settlingLagMs: 5_000, standbyLagMs: 5_000 })).toEqual(['DATABASE_LAG']);
    expect(kinds({ brokerBlocked: true })).toEqual(['BROKER_ALARM']);
  });

  it('does not look at what has no bound, but for the broker', () => {
    const none = { storageBytes: null, payloadBytes: null, lagMs: null };
    const much = { storedBytes: 1e15, payloadBytes: 1e15, settlingLagMs: 1e9, standbyLagMs: 1e9, brokerBlocked: true };
    expect(kinds(much, none)).toEqual(['BROKER_ALARM']);
  });

  it('says with numbers what is over what', () => {
    expect(pressuresOf({ ...calm, storedBytes: 101 }, limits)[0]!.detail).toBe(
      'the tables take 101 bytes, and STORAGE_BUDGET_BYTES is 100',
    );
    expect(pressuresOf({ ...calm, settlingLagMs: 61_200 }, limits)[0]!.detail).toBe(
      'outcomes wait to be settled for 61.2 s',
    );
  });
});
