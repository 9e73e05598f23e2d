/** Ratios in exact arithmetic: the decimal text somebody wrote, never a floating-point number. */
export interface Ratio {
  /** The value is `numerator / denominator`; the denominator is a power of ten. */
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
const maxLength = 64;
const maxExponent = 100;

/**
 * The exact value of a JSON number in 0..1, or null for anything else: text that is no number, a value outside, more than
 * 64 characters, an exponent beyond ±100.
 */
export function parseRatio(text: string): Ratio | null {
  const parts = text.length <= maxLength ? decimal.exec(text) : null;
  if (!parts) return null;
  const [, sign, whole, fraction = '', exponentText = '0'] = parts;
  const exponent = Number(exponentText) - fraction.length;
  if (Math.abs(Number(exponentText)) > maxExponent) return null;
  const digits = BigInt(whole! + fraction);
  const numerator = exponent > 0 ? digits * 10n ** BigInt(exponent) : digits;
  const denominator = exponent < 0 ? 10n ** BigInt(-exponent) : 1n;
  if (numerator > denominator || (sign === '-' && numerator > 0n)) return null;
  return { numerator, denominator };
}

/** True when `count` is more than the ratio of `total`: 29 of 100 at 0.29 is not. */
export function exceedsRatio(count: number, ratio: Ratio, total: number): boolean {
  return BigInt(count) * ratio.denominator > ratio.numerator * BigInt(total);
}
