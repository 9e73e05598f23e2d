import { scriptPosition } from '@app/domain/pipeline/config/shell.js';
import { UsageError } from '../usage-error.js';
import type { MapOptions, Target } from './map-options.js';
import { columnPath, hasPlaceholder, segmentsOf, templateOf, type Columns, type Segment } from './placeholders.js';

/** Where the script of a shell stands, -1: nowhere. A program that only the row names may be a shell. */
export function scriptOf(words: readonly string[]): number {
  return scriptPosition(words.map((word, i) => (i === 0 && /[{$]/.test(word) ? '${' : word)));
}

/** The words of a command, cut at their placeholders; the text of a script is one piece. */
export function wordsOf(words: readonly string[], columns: Columns): readonly (readonly Segment[])[] {
  const script = scriptOf(words);
  return words.map((word, i) => {
    if (i !== script) return segmentsOf(word, columns);
    // Only what is surely meant as one is refused: braces are a part of the shell's own language.
    const named = /\{([^{}\s,;$]*)\}/g;
    for (const [whole, name] of word.matchAll(named))
      if (name === '#' || columns.names?.includes(name!))
        throw new UsageError(
          `${whole} stands in the script of ${words[0]}, where its value would be read as a part of the script; ` +
            `pass it behind the script and use it as "$1": -- ${words[0]} -c '… "$1" …' sh ${whole}`,
        );
    return [{ kind: 'text', text: word } as const];
  });
}

/** The pipeline of a run: one child for each row, and a verdict. */
export function mapPipeline(name: string, destination: string, options: MapOptions, columns: Columns): object {
  const { retries, timeout, key } = options;
  const rows = {
    items: { dataset: '${input.dataset}' },
    ...(key === undefined ? {} : { itemKey: `\${${columnPath(key, columns.names)}}` }),
    node: {
      ...nodeOf(options.target, columns),
      retry: { maxAttempts: retries + 1, initialDelay: '1s', backoff: 2, maxDelay: '1m' },
      ...(timeout === undefined ? {} : { timeout }),
      destinations: [destination],
    },
  };
  return {
    name,
    nodes: [
      { id: 'rows', type: 'SPAWNER', config: rows },
      { id: 'verdict', type: 'MERGE', config: verdictOf(options) },
    ],
    edges: [{ from: 'rows', to: 'verdict' }],
  };
}

function verdictOf({ halt }: MapOptions): object {
  if (halt === null) return {};
  return {
    tolerateChildFailures: ['FAILED'],
    failureTolerance: 'count' in halt ? { maxFailureCount: halt.count } : { maxFailureRatio: halt.ratio },
    failFast: true,
    remaining: 'CANCEL',
  };
}

function nodeOf(target: Target, columns: Columns): object {
  if (target.kind === 'command') {
    const script = scriptOf(target.words);
    const command = wordsOf(target.words, columns).map((segments, i) =>
      i === script ? target.words[i]! : templateOf(segments, columns),
    );
    const env = Object.fromEntries(target.env.map((name) => [name, `\${secrets.${name}}`]));
    // A command that names nothing of its row reads it.
    const stdin = isSameForEveryRow(target, columns) ? { stdin: '${item}' } : {};
    return { type: 'SHELL', config: { command, ...stdin, ...(target.env.length > 0 ? { env } : {}) } };
  }
  const { method, url, headers, body } = target;
  const template = (text: string, secrets: boolean) => templateOf(segmentsOf(text, columns, secrets), columns);
  return {
    type: 'HTTP',
    config: {
      method,
      url: template(url, true),
      ...(headers.length > 0
        ? { headers: Object.fromEntries(headers.map(([name, value]) => [name, template(value, true)])) }
        : {}),
      ...bodyOf(method, body, columns),
    },
  };
}

/** The row itself where nothing is said; text that is JSON goes out as JSON, with placeholders in its strings. */
function bodyOf(method: string, body: string | undefined, columns: Columns): object {
  if (body === undefined) return method === 'GET' || method === 'DELETE' ? {} : { body: '${item}' };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new UsageError('--body takes JSON, as \'{"id": "{id}"}\'; without it the row itself is sent');
  }
  return { body: templated(value, columns) };
}

function templated(value: unknown, columns: Columns): unknown {
  if (typeof value === 'string') return templateOf(segmentsOf(value, columns, true), columns);
  if (Array.isArray(value)) return value.map((element) => templated(element, columns));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, templated(member, columns)]));
}

/** Whether anything of the target depends on the row. */
export function isSameForEveryRow(target: Target, columns: Columns): boolean {
  return target.kind === 'command' && !wordsOf(target.words, columns).some((segments) => hasPlaceholder(segments));
}
