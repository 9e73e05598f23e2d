import { z } from 'zod';
import { ConfigProblems, type ConfigProblem } from './config-problems.js';
import { effectiveEnvironment, type Environment } from './environment.js';
import { processKinds, type ConfigByKind, type ProcessKind } from './process-kind.js';

const SECRET_PREFIX = 'FANFOLD_SECRET_';

/**
 * The configuration of one process, frozen all the way down.
 *
 * @param readFile reads what a `NAME_FILE` variable points to
 * @throws ConfigProblems with every problem at once
 */
export const readConfig = <Kind extends ProcessKind>(
  kind: Kind,
  environment: Environment,
  readFile: (path: string) => string,
): ConfigByKind[Kind] => {
  const { variables, schema } = processKinds[kind];
  const { values, problems } = effectiveEnvironment(environment, Object.keys(variables), readFile);
  const parsed = (schema(secretsOf(values)) as z.ZodType<ConfigByKind[Kind]>).safeParse(values);
  const unreadable = new Set(problems.map(({ variable }) => variable.replace(/_FILE$/, '')));
  const refused = parsed.success ? [] : parsed.error.issues.map((issue) => problemOf(issue, values));
  const all = [...problems, ...refused.filter(({ variable }) => !unreadable.has(variable))];
  if (!parsed.success || all.length > 0) throw new ConfigProblems(all);
  return frozen(parsed.data);
};

const secretsOf = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name.startsWith(SECRET_PREFIX))
      .map(([name, value]) => [name.slice(SECRET_PREFIX.length), value]),
  );

const problemOf = (issue: z.core.$ZodIssue, values: Readonly<Record<string, string>>): ConfigProblem => {
  const variable = String(issue.path[0] ?? 'environment');
  // The value itself is not repeated: it may be a credential.
  return { variable, message: variable in values ? issue.message : 'is required' };
};

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
};
