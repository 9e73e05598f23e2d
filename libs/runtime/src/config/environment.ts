import type { ConfigProblem } from './config-problems.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EffectiveEnvironment {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly ConfigProblem[];
}

const SECRET = /^FANFOLD_SECRET_[A-Za-z0-9_]+$/;
const FILE = '_FILE';

/**
 * The variables as they count: empty ones are unset, and `NAME_FILE` gives NAME the contents of a file without its last
 * line break. Only names in `known` and secrets are looked at, so an unrelated `SOMETHING_FILE` is never opened.
 */
export const effectiveEnvironment = (
  environment: Environment,
  known: readonly string[],
  readFile: (path: string) => string,
): EffectiveEnvironment => {
  const values: Record<string, string> = {};
  const problems: ConfigProblem[] = [];
  const isOurs = (name: string) => known.includes(name) || SECRET.test(name);
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && value !== '' && isOurs(name) && !isFileOf(name, known)) values[name] = value;
  for (const [name, path] of Object.entries(environment)) {
    if (!path || !isFileOf(name, known)) continue;
    const target = name.slice(0, -FILE.length);
    if (environment[target])
      problems.push({ variable: name, message: `set together with ${target}; give one of them` });
    else
      try {
        const content = readFile(path).replace(/\r?\n$/, '');
        if (content !== '') values[target] = content;
      } catch (error) {
        problems.push({
          variable: name,
          message: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
        });
      }
  }
  return { values, problems };
};

const isFileOf = (name: string, known: readonly string[]): boolean => {
  if (!name.endsWith(FILE)) return false;
  const target = name.slice(0, -FILE.length);
  return known.includes(target) || SECRET.test(target);
};
