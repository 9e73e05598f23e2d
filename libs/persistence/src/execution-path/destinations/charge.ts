import { rateStateText, type RateState } from '@app/domain';

/** What was started at a destination with a rate. */
export interface Charge {
  readonly destination: number;
  readonly state: RateState;
  /** Until there is room for one more call; 0 where there is. */
  readonly waitMs: number;
}

/** As a statement takes them: destinations, states, milliseconds. */
export function chargeColumns(charges: readonly Charge[]): [number[], string[], number[]] {
  return [charges.map((c) => c.destination), charges.map((c) => rateStateText(c.state)), charges.map((c) => c.waitMs)];
}
