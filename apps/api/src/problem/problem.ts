/** One defect of a request: where it is and what is wrong there. */
export interface ProblemDefect {
  readonly path: string;
  readonly message: string;
}

export interface ProblemDetails {
  readonly status: number;
  /** `AREA.REASON` */
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly ProblemDefect[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the document, such as `state` or `id`. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** What a caller is told instead of an answer, as an RFC 9457 problem document. */
export class Problem extends Error {
  constructor(readonly details: ProblemDetails) {
    super(details.detail);
    this.name = 'Problem';
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'In conflict with the present state',
  413: 'Too large',
  422: 'The request is refused',
  500: 'Internal error',
  503: 'Temporarily unavailable',
};

/** The document itself; members with no value are left out. */
export function problemDocument(details: ProblemDetails): Record<string, unknown> {
  return {
    type: `urn:fanfold:problem:${details.code.toLowerCase().replaceAll('.', ':')}`,
    title: titles[details.status] ?? 'Error',
    status: details.status,
    code: details.code,
    detail: details.detail,
    errors: details.errors ?? [],
    ...details.facts,
  };
}

/** 400: the request cannot be read. */
export function unreadable(code: string, detail: string, errors: readonly ProblemDefect[] = []): Problem {
  return new Problem({ status: 400, code, detail, errors });
}

/** 422: read and refused, with every defect of the request. */
export function refused(errors: readonly ProblemDefect[], code = 'REQUEST.INVALID', detail?: string): Problem {
  const first = errors[0];
  const told = first ? `${first.path === '' ? '' : `${first.path}: `}${first.message}` : 'the request is refused';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new Problem({ status: 422, code, detail: detail ?? told + more, errors });
}

export function notFound(what: string, code: string): Problem {
  return new Problem({ status: 404, code, detail: `${what} does not exist` });
}

export function conflict(code: string, detail: string, facts?: Readonly<Record<string, unknown>>): Problem {
  return new Problem({ status: 409, code, detail, facts });
}
