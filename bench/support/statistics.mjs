export const median = (values) => percentile(values, 50);

/** Nearest rank; for an even number of values the median is the lower of the two in the middle. */
export const percentile = (values, percent) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
};

export const rounded = (value, digits = 0) => Number(value.toFixed(digits));

export const secondsSince = (startedAt) => (performance.now() - startedAt) / 1_000;
