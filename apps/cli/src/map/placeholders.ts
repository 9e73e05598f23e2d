/**
 * Placeholders in the words of a command or a URL: `{column}`, `{}` for the whole row and `{#}` for its number, from 1.
 * They become templates of the engine, in which a value is a value: it is never read as words, options or script.
 */
import { UsageError } from '../usage-error.js';

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'row' }
  | { readonly kind: 'number' };

/** What a row looks like, as far as it is known before the first one is run. */
export interface Columns {
  /** Null: every row is a JSON value of its own. */
  readonly names: readonly string[] | null;
}

const placeholder = /\{\{([^{}]*)\}\}|\{([^{}\r\n]*)\}/g;
const plainName = /^[A-Za-z_][\w.-]*$/;

/**
 * Cuts a word at its placeholders. Braces around anything that cannot be a column stay as they are; `{{name}}` is the
 * text `{name}`.
 * @throws UsageError where a plain name is no column
 */
export function segmentsOf(word: string, columns: Columns, allowSecrets = false): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  const text = (piece: string): void => {
    const last = segments.at(-1);
    if (piece === '') return;
    if (last?.kind === 'text') segments[segments.length - 1] = { kind: 'text', text: last.text + piece };
    else segments.push({ kind: 'text', text: piece });
  };
  for (const match of word.matchAll(placeholder)) {
    const [whole, escaped, name] = match;
    text(word.slice(from, match.index));
    from = match.index + whole.length;
    if (escaped !== undefined) text(plainName.test(escaped) ? `{${escaped}}` : whole);
    else {
      // `${name}` of another language, unless it is a column.
      const isForeign = word[match.index - 1] === '$' && !columns.names?.includes(name!);
      const found = isForeign ? null : segmentOf(name!, columns, allowSecrets);
      if (found) segments.push(found);
      else text(whole);
    }
  }
  text(word.slice(from));
  return segments;
}

function segmentOf(name: string, { names }: Columns, allowSecrets: boolean): Segment | null {
  if (name === '') return { kind: 'row' };
  if (name === '#') return { kind: 'number' };
  if (names?.includes(name)) return { kind: 'column', name };
  const secret = /^secrets\.([A-Za-z0-9_]+)$/.exec(name)?.[1];
  if (secret !== undefined && allowSecrets) return { kind: 'secret', name: secret };
  if (!plainName.test(name)) return null;
  if (names === null) return { kind: 'column', name };
  throw new UsageError(
    `there is no column "${name}"; the columns are ${names.map((n) => `"${n}"`).join(', ')}. Write {{${name}}} for those characters themselves`,
  );
}

/** Whether a word depends on the row. */
export const hasPlaceholder = (segments: readonly Segment[]): boolean => segments.some(({ kind }) => kind !== 'text');

/** The engine's template of a word. */
export function templateOf(segments: readonly Segment[], { names }: Columns): string {
  return segments.map((segment) => partOf(segment, names)).join('');
}

function partOf(segment: Segment, names: readonly string[] | null): string {
  switch (segment.kind) {
    case 'text':
      // A dollar sign of the user must begin no expression, whatever stands behind it.
      return segment.text.replaceAll('$', '${"$"}');
    case 'number':
      return '${index + 1}';
    case 'secret':
      return `\${secrets.${segment.name}}`;
    case 'row':
      return names?.length === 1 ? `\${${columnPath(names[0]!, names)}}` : '${item}';
    case 'column':
      return `\${${columnPath(segment.name, names)}}`;
  }
}

/** The expression that cuts a column out of the row; in rows of JSON a dotted name goes down into objects. */
export function columnPath(name: string, names: readonly string[] | null): string {
  const steps = names === null ? name.split('.') : [name];
  return `item${steps.map((step) => `["${step.replaceAll(/["\\]/g, '\\$&')}"]`).join('')}`;
}

/**
 * The word as it will be for a row: for `--dry-run` and the log, not for what is run.
 * @returns undefined where the row has no such column
 */
export function renderedWord(
  segments: readonly Segment[],
  row: unknown,
  index: number,
  { names }: Columns,
): string | undefined {
  let text = '';
  for (const segment of segments) {
    const part = renderedPart(segment, row, index, names);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

function renderedPart(
  segment: Segment,
  row: unknown,
  index: number,
  names: readonly string[] | null,
): string | undefined {
  switch (segment.kind) {
    case 'text':
      return segment.text;
    case 'number':
      return String(index + 1);
    case 'secret':
      return '***';
    case 'row':
      return asText(names?.length === 1 ? (row as Record<string, unknown>)[names[0]!] : row);
    case 'column': {
      let value: unknown = row;
      for (const step of names === null ? segment.name.split('.') : [segment.name])
        value =
          typeof value === 'object' && value !== null && Object.hasOwn(value, step)
            ? (value as Record<string, unknown>)[step]
            : undefined;
      return value === undefined ? undefined : asText(value);
    }
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
