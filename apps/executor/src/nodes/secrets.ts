import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { redactJson } from './redact-json.js';

const maxFileBytes = 65_536;
/** Shorter values are found everywhere by chance; taking them out would damage data and hide nothing. */
const minRedacted = 4;

/**
 * Values for `${secrets.NAME}`: from variables FANFOLD_SECRET_<NAME>, else from a folder with one file per secret, whose
 * last line break does not count. Files are read at each attempt, so a rotated secret is in force at once.
 */
export class Secrets {
  constructor(
    private readonly variables: Readonly<Record<string, string>>,
    private readonly folder: string | undefined,
  ) {}

  /** Undefined where there is none, or where the name could lead out of the folder. */
  value(name: string): string | undefined {
    if (Object.hasOwn(this.variables, name)) return this.variables[name];
    if (this.folder === undefined || !/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(name)) return undefined;
    const path = join(this.folder, name);
    try {
      const file = statSync(path);
      if (!file.isFile() || file.size > maxFileBytes) return undefined;
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch {
      return undefined;
    }
  }

  /** For one attempt. */
  open(): AttemptSecrets {
    return new AttemptSecrets(this);
  }
}

/** Most attempts use none. */
const nothing: ReadonlyMap<string, string> = new Map();

/** The secrets that one attempt has used, each read once; they are taken out of whatever leaves it. */
export class AttemptSecrets {
  private read: ReadonlyMap<string, string> = nothing;
  private sorted: readonly (readonly [name: string, value: string])[] | null = null;

  constructor(private readonly secrets: Secrets) {}

  get used(): boolean {
    return this.read.size > 0;
  }

  value(name: string): string | undefined {
    const known = this.read.get(name) ?? this.secrets.value(name);
    if (known !== undefined && !this.read.has(name)) {
      this.read = new Map([...this.read, [name, known]]);
      this.sorted = null;
    }
    return known;
  }

  /** Whether a secret of any length stands in the text. */
  areIn(text: string): boolean {
    return [...this.read.values()].some((value) => value !== '' && text.includes(value));
  }

  /** Every value replaced by `[secret NAME]`, the longest first, as one may be part of another. */
  redact(text: string): string {
    if (this.read.size === 0) return text;
    for (const [name, value] of this.byLength())
      if (text.includes(value)) text = text.replaceAll(value, () => `[secret ${name}]`);
    return text;
  }

  /** In strings and names of JSON text, however they are escaped; the text stays JSON. */
  redactJson(text: string): string {
    return this.read.size === 0 ? text : redactJson(text, (value) => this.redact(value));
  }

  redactFields<T extends object>(fields: T): T {
    if (this.read.size === 0) return fields;
    try {
      return JSON.parse(this.redactJson(JSON.stringify(fields))) as T;
    } catch {
      return {} as T;
    }
  }

  private byLength(): readonly (readonly [string, string])[] {
    return (this.sorted ??= [...this.read]
      .flatMap(([name, value]) => formsOf(value).map((form) => [name, form] as const))
      .filter(([, form]) => form.length >= minRedacted)
      .sort((a, b) => b[1].length - a[1].length));
  }
}

/** A value as it is, and as it stands in URLs and in JSON. */
function formsOf(value: string): string[] {
  const forms = [value, encodeURIComponent(Buffer.from(value).toString()), JSON.stringify(value).slice(1, -1)];
  return [...new Set(forms)];
}
