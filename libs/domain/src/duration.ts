const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const short = /^(\d{1,15})(ms|s|m|h|d)$/;
const iso = /^P(?:(\d{1,12})W|(?:(\d{1,12})D)?(?:T(?:(\d{1,12})H)?(?:(\d{1,12})M)?(?:(\d{1,12}(?:[.,]\d{1,9})?)S)?)?)$/;

/**
 * Milliseconds of a duration as api.md writes them: `"250ms"`, `"10s"`, `"5m"`, `"2h"`, `"30d"`, or ISO 8601 with weeks,
 * days, hours, minutes and seconds (`"PT5M"`, `"P1DT2H"`). Null for anything else: signs, fractions but of ISO seconds,
 * years and months (which have no fixed length), and what exceeds 2^53-1 milliseconds.
 */
export function parseDuration(text: string): number | null {
  const plain = short.exec(text);
  if (plain) return exact(Number(plain[1]) * unitMs[plain[2] as keyof typeof unitMs]);
  const parts = iso.exec(text);
  if (!parts || text.endsWith('P') || text.endsWith('T')) return null;
  const [weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number((part ?? '0').replace(',', '.')));
  const whole = (weeks! * 7 + days!) * unitMs.d + hours! * unitMs.h + minutes! * unitMs.m;
  return exact(whole + Math.round(seconds! * 1_000));
}

function exact(ms: number): number | null {
  return Number.isSafeInteger(ms) ? ms : null;
}
