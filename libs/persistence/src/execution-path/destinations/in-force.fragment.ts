import { firstAdaptiveLimit } from '@app/domain';

/** Whether it gives way to pressure, and there is some. One that does not is not looked further into. */
export const givesWay = (d: string): string =>
  `(${d}.yields and exists (select from pressure where until is null or until > now()))`;

/**
 * Calls at once that a destination allows now: the least of its own limit, of where its ramp is, of the limit found for it,
 * of one probe while its breaker is not closed, and of none while it is paused or gives way to pressure. Null: any number.
 * @param d name of the row
 */
export const limitInForce = (d: string): string =>
  `least(${d}.max_concurrency, ${d}.ramp, case when ${d}.adaptive then coalesce(${d}.adaptive_limit, ${firstAdaptiveLimit}) end, case when ${d}.breaker_opens > 0 then 1 end, case when ${d}.paused_at is not null or ${givesWay(d)} then 0 end)`;

/** Whether nothing but its places can hold a task back at a destination now. */
export const isOpenNow = (d: string): string =>
  `(${d}.paused_at is null
       and not ${givesWay(d)}
       and (${d}.throttled_until is null or ${d}.throttled_until <= clock_timestamp())
       and (${d}.breaker_until is null or ${d}.breaker_until <= clock_timestamp())
       and (${d}.rate_room_at is null or ${d}.rate_room_at <= clock_timestamp()))`;

/** Whether a destination may hold anything back at all. */
export const limitsAnything = (d: string): string =>
  `(${d}.max_concurrency is not null or ${d}.ramp is not null or ${d}.adaptive or ${d}.rate is not null or ${d}.breaker_opens > 0 or ${d}.paused_at is not null or ${d}.throttled_until > now() or ${givesWay(d)})`;

/** Of a locked row, what its limits are; on the clock of the moment, as the transaction may have waited for it. */
export const columnsInForce = (d: string): string =>
  `${d}.id, ${d}.name, ${d}.host, ${limitInForce(d)} as "limit",
       greatest(0, extract(epoch from ${d}.throttled_until - clock_timestamp()) * 1000)::float8 as "throttledForMs",
       greatest(0, extract(epoch from ${d}.breaker_until - clock_timestamp()) * 1000)::float8 as "openForMs",
       ${d}.rate, ${d}.rate_state as "rateState",
       (${d}.ramp is not null or ${d}.adaptive or ${d}.breaker_opens > 0) as learns`;
