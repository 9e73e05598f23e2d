import { availableParallelism } from 'node:os';
import { parseDuration } from '@app/domain/duration.js';
import type { ReachingOptions } from '../engine/reaching.js';
import { UsageError } from '../usage-error.js';

/** The options as commander gives them. */
export interface GivenOptions extends ReachingOptions {
  readonly post?: string;
  readonly get?: string;
  readonly put?: string;
  readonly patch?: string;
  readonly delete?: string;
  readonly header?: readonly string[];
  readonly body?: string;
  readonly env?: readonly string[];
  readonly jobs?: string;
  readonly rate?: string;
  readonly retries?: string;
  readonly timeout?: string;
  readonly halt?: string;
  readonly joblog?: string;
  readonly output?: string;
  readonly failed?: string;
  readonly dryRun?: boolean;
  readonly name?: string;
  readonly fresh?: boolean;
  readonly retryFailed?: boolean;
  readonly key?: string;
  readonly format?: string;
}

export type Target =
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly env: readonly string[] }
  | {
      readonly kind: 'call';
      readonly method: string;
      readonly url: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: string | undefined;
    };

/** How many failed rows are borne: none given, a count, or a share of all rows. */
export type Halt = { readonly count: number } | { readonly ratio: number } | null;

export interface MapOptions {
  /** `-` for standard input. */
  readonly file: string;
  readonly format: 'csv' | 'ndjson' | 'json';
  readonly target: Target;
  readonly concurrency: number;
  readonly rate: { readonly limit: number; readonly per: '1s' | '1m' | '1h' } | null;
  readonly retries: number;
  readonly timeout: string | undefined;
  readonly halt: Halt;
  readonly joblog: string | undefined;
  readonly output: string | undefined;
  readonly failed: string | undefined;
  readonly dryRun: boolean;
  readonly name: string | undefined;
  readonly fresh: boolean;
  readonly retryFailed: boolean;
  readonly key: string | undefined;
}

const methods = ['post', 'get', 'put', 'patch', 'delete'] as const;

/** @throws UsageError that names the option and what it may be */
export function readMapOptions(file: string, command: readonly string[], given: GivenOptions): MapOptions {
  const target = targetOf(command, given);
  if (given.fresh && given.retryFailed)
    throw new UsageError('--fresh runs every row and --retry-failed only what failed; give one of them');
  return {
    file,
    format: formatOf(file, given.format),
    target,
    concurrency: countOf('--jobs', given.jobs, 1, 10_000) ?? (target.kind === 'command' ? availableParallelism() : 10),
    rate: given.rate === undefined ? null : rateOf(given.rate),
    retries: countOf('--retries', given.retries, 0, 1_000) ?? (target.kind === 'command' ? 0 : 3),
    timeout: timeoutOf(given.timeout),
    halt: given.halt === undefined ? null : haltOf(given.halt),
    joblog: given.joblog,
    output: given.output,
    failed: given.failed,
    dryRun: given.dryRun ?? false,
    name: nameOf(given.name),
    fresh: given.fresh ?? false,
    retryFailed: given.retryFailed ?? false,
    key: given.key,
  };
}

function targetOf(command: readonly string[], given: GivenOptions): Target {
  const asked = methods.filter((method) => given[method] !== undefined);
  if (asked.length + (command.length > 0 ? 1 : 0) !== 1)
    throw new UsageError(
      'say what to do with a row, once: --post <url>, or -- and a command. For instance: fanfold map rows.csv -- echo {id}',
    );
  const [method] = asked;
  if (method === undefined) {
    if (given.header !== undefined || given.body !== undefined)
      throw new UsageError('--header and --body belong to a call, not to a command');
    return { kind: 'command', words: command, env: given.env ?? [] };
  }
  if (given.env !== undefined) throw new UsageError('--env belongs to a command, not to a call');
  const url = given[method]!;
  if (!/^https?:\/\//.test(url)) throw new UsageError(`--${method} takes a URL that begins with http:// or https://`);
  return {
    kind: 'call',
    method: method.toUpperCase(),
    url,
    headers: (given.header ?? []).map(headerOf),
    body: given.body,
  };
}

function headerOf(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw new UsageError(`--header takes 'name: value', not ${JSON.stringify(text)}`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function formatOf(file: string, asked: string | undefined): MapOptions['format'] {
  const name = asked ?? /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  if (name === 'csv' || name === 'ndjson' || name === 'json') return name;
  if (name === 'jsonl') return 'ndjson';
  if (asked === undefined && file === '-') return 'csv';
  throw new UsageError(
    `${asked ?? file}: rows are read from .csv, .ndjson, .jsonl and .json; say which with --format csv, ndjson or json`,
  );
}

function countOf(option: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}

function timeoutOf(text: string | undefined): string | undefined {
  if (text === undefined || (parseDuration(text) ?? 0) > 0) return text;
  throw new UsageError(`--timeout takes a time, as 500ms, 10s, 5m or 2h, not ${JSON.stringify(text)}`);
}

function rateOf(text: string): NonNullable<MapOptions['rate']> {
  const [, limit, per] = /^(\d+)(?:\/([smh]))$/.exec(text) ?? [];
  if (limit === undefined || Number(limit) < 1)
    throw new UsageError(`--rate takes a number and a unit, as 50/s, 600/m or 1000/h, not ${JSON.stringify(text)}`);
  return { limit: Number(limit), per: `1${per as 's' | 'm' | 'h'}` };
}

function haltOf(text: string): NonNullable<Halt> {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const value = Number(number);
  if (number !== undefined && percent === '%' && value <= 100) return { ratio: value / 100 };
  if (number !== undefined && percent === '' && Number.isInteger(value)) return { count: value };
  throw new UsageError(`--halt takes a share or a number of failed rows, as 5% or 20, not ${JSON.stringify(text)}`);
}

function nameOf(name: string | undefined): string | undefined {
  if (name === undefined || /^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return name;
  throw new UsageError('--name takes small letters, digits and . _ -, up to 100 of them');
}
