import { writeJson } from '../json/json-text.js';

/** What a handler returns when the status is not 200. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get text(): string {
    return writeJson(this.body);
  }
}

export function created(body: unknown, location?: string): Answer {
  return new Answer(201, body, location ? { location } : {});
}

/** Signals and deletions: accepted, and carried out in its own time. */
export function accepted(body: unknown = {}): Answer {
  return new Answer(202, body);
}
