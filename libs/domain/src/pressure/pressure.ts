/**
 * Pressure: what stands against the beginning of more work. While any is in force, no fan-out has its first child; one that has begun goes
 * on, as half a fan-out is nobody's relief.
 */
export type PressureKind = 'STORAGE_BUDGET' | 'PAYLOAD_BUDGET' | 'DATABASE_LAG' | 'BROKER_ALARM' | 'OPERATOR';

export interface Pressure {
  readonly kind: PressureKind;
  /** A sentence for whoever asks why. */
  readonly detail: string;
}

/** Bounds that an operator has set; null: not looked at. */
export interface PressureLimits {
  /** Bytes that all tables may take on disk. */
  readonly storageBytes: number | null;
  /** Bytes of lists and datasets that are kept. */
  readonly payloadBytes: number | null;
  /** Milliseconds that settling, or a standby, may be behind. */
  readonly lagMs: number | null;
}

export interface PressureMeasures {
  readonly storedBytes: number;
  readonly payloadBytes: number;
  /** Age of the oldest outcome that is not settled; null: there is none. */
  readonly settlingLagMs: number | null;
  /** The largest lag of a standby that replays; null: there is none, or it may not be seen. */
  readonly standbyLagMs: number | null;
  /** The broker takes no messages. */
  readonly brokerBlocked: boolean;
}

/** Everything that is over its bound. What is at its bound is not. */
export function pressuresOf(measures: PressureMeasures, limits: PressureLimits): Pressure[] {
  const { storedBytes, payloadBytes, settlingLagMs, standbyLagMs, brokerBlocked } = measures;
  const pressures: Pressure[] = [];
  if (limits.storageBytes !== null && storedBytes > limits.storageBytes)
    pressures.push({
      kind: 'STORAGE_BUDGET',
      detail: `the tables take ${storedBytes} bytes, and STORAGE_BUDGET_BYTES is ${limits.storageBytes}`,
    });
  if (limits.payloadBytes !== null && payloadBytes > limits.payloadBytes)
    pressures.push({
      kind: 'PAYLOAD_BUDGET',
      detail: `datasets and lists have ${payloadBytes} bytes, and PAYLOAD_BUDGET_BYTES is ${limits.payloadBytes}`,
    });
  if (limits.lagMs !== null && (settlingLagMs ?? 0) > limits.lagMs)
    pressures.push({ kind: 'DATABASE_LAG', detail: `outcomes wait to be settled for ${seconds(settlingLagMs!)}` });
  else if (limits.lagMs !== null && (standbyLagMs ?? 0) > limits.lagMs)
    pressures.push({ kind: 'DATABASE_LAG', detail: `a standby of the database is ${seconds(standbyLagMs!)} behind` });
  if (brokerBlocked)
    pressures.push({ kind: 'BROKER_ALARM', detail: 'the broker has an alarm and takes no messages for now' });
  return pressures;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
