/**
 * Labels with what a start adds: members are put behind the exact text of what is there.
 * @param labels JSON text of an object without those names, or null
 */
export function labelsWith(labels: string | null, added: Readonly<Record<string, string>>): string {
  const given = (labels ?? '{}').trim().slice(1, -1).trim();
  const more = JSON.stringify(added).slice(1, -1);
  return `{${given === '' ? more : `${given},${more}`}}`;
}
