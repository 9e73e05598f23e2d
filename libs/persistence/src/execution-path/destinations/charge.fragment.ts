/**
 * Counts what was started against rates of destinations, whose rows the caller holds. The three parameters are destinations, states of
 * their rates, and milliseconds until there is room for one more call.
 */
export const chargeRates = (ids: string, states: string, waits: string): string => `
  update destination d
  set rate_state = x.state,
      rate_room_at = case when x.wait_ms > 0 then clock_timestamp() + x.wait_ms * interval '1 millisecond' end
  from unnest(${ids}::integer[], ${states}::text[], ${waits}::float8[]) x (id, state, wait_ms)
  where d.id = x.id`;
