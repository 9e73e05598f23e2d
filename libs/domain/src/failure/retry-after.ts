/** The header Retry-After (RFC 9110, 10.2.3): whole seconds, or a date in one of the three forms of HTTP. */
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const fixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const rfc850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/**
 * Milliseconds to wait, or null where the normal backoff applies: no header, an empty, negative, fractional or
 * unreadable value, a date that is not ahead. The caller caps it (1 h, or the node's `maxDelay`).
 * @param nowMs milliseconds since 1970
 */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  const at = parseHttpDate(text, nowMs);
  return at !== null && at > nowMs ? at - nowMs : null;
}

function parseHttpDate(text: string, nowMs: number): number | null {
  const fixed = fixdate.exec(text);
  if (fixed) return moment(fixed[3]!, fixed[2]!, fixed[1]!, fixed.slice(4));
  const old = rfc850.exec(text);
  if (old) return moment(fullYear(Number(old[3]), nowMs), old[2]!, old[1]!, old.slice(4));
  const c = asctime.exec(text);
  return c && moment(c[6]!, c[1]!, c[2]!, c.slice(3, 6));
}

/** Two digits mean the year that is not more than 50 years ahead. */
function fullYear(year: number, nowMs: number): number {
  const now = new Date(nowMs).getUTCFullYear();
  const guess = now - (now % 100) + year;
  return guess > now + 50 ? guess - 100 : guess;
}

function moment(year: string | number, month: string, day: string, time: readonly string[]): number | null {
  const [hours, minutes, seconds] = time.map(Number) as [number, number, number];
  const at = Date.UTC(Number(year), months.indexOf(month), Number(day), hours, minutes, seconds);
  const isReal = months.includes(month) && new Date(at).getUTCDate() === Number(day) && hours < 24 && minutes < 60;
  return isReal && seconds <= 60 ? at : null;
}
