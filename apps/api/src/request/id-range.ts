/** The id right before `id` in the order of the database: the open end of a range that begins with `id`. */
export function idBefore(id: string): string {
  const value = BigInt(`0x${id.replaceAll('-', '')}`) - 1n;
  const hex = (value < 0n ? 0n : value).toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const firstId = '00000000-0000-0000-0000-000000000000';
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first id that a top-level execution started at this moment can have. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
