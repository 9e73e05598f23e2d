import { Cron } from 'croner';

/** Occurrences that are looked through one by one; where more were missed, only the newest of them are. */
const mostCounted = 1_000;
const mostCharacters = 255;

/** What fell due since a moment. */
export interface DueOccurrences {
  /** Oldest first. */
  readonly due: readonly Date[];
  /** There were more, older ones, that were not counted. */
  readonly more: boolean;
}

/**
 * The instants of a cron expression in a time zone.
 *
 * Five fields, or six with seconds in front. Where clocks are put forward, a time that does not exist is run once at the first
 * instant behind the gap; where they are put back, one that happens twice is run once, the first time. That is so for expressions
 * with plain seconds, minutes and hours (numbers, lists, ranges); one with `*` or a step there means "every so often", skips the gap and
 * goes on through the hour that happens twice.
 */
export class Occurrences {
  private readonly cron: Cron;

  /** @throws Error, in words, where the expression or the time zone cannot be read */
  constructor(expression: string, timeZone: string) {
    if (expression.length > mostCharacters) throw new Error(`must be at most ${mostCharacters} characters`);
    // A date would be one occurrence, and none that anybody wrote with cron in mind.
    if (/^\s*\d{4}-/.test(expression)) throw new Error('a date is no cron expression');
    this.cron = new Cron(expression, {
      timezone: timeZone,
      paused: true,
      mode: '5-or-6-parts',
      fixedTimeRule: 'no-wildcard',
    });
  }

  /** The first one after a moment; null where there is none. */
  after(moment: Date): Date | null {
    return this.cron.nextRun(moment);
  }

  /** Those from one moment to another, both included. */
  between(from: Date, to: Date): DueOccurrences {
    const due: Date[] = [];
    let next = this.cron.nextRun(new Date(from.getTime() - 1));
    while (next !== null && next <= to && due.length < mostCounted) {
      due.push(next);
      next = this.cron.nextRun(next);
    }
    if (next === null || next > to) return { due, more: false };
    const newest = this.cron.previousRuns(mostCounted, new Date(to.getTime() + 1));
    return { due: newest.filter((d) => d >= from).reverse(), more: true };
  }
}

/** What is wrong with an expression or a time zone, by the field it is of; empty where nothing is. */
export function occurrenceDefects(
  expression: string,
  timeZone: string,
): { path: 'cron' | 'timeZone'; message: string }[] {
  const defects: { path: 'cron' | 'timeZone'; message: string }[] = [];
  const now = new Date(0);
  if (!isTimeZone(timeZone))
    defects.push({ path: 'timeZone', message: 'must be the name of a time zone, as Europe/Berlin' });
  try {
    new Occurrences(expression, 'UTC').after(now);
  } catch (error) {
    const why = (error as Error).message.replace(/^CronPattern: /, '').slice(0, 200);
    defects.push({ path: 'cron', message: `cannot be read: ${why}` });
  }
  return defects;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
