/** Pipelines, datasets and destinations as the api shows them. */
export interface PlanView {
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly rank: number;
    readonly inDegree: number;
    readonly criticalPath: number;
  }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Ids along the longest weighted path. */
  readonly criticalPath: readonly string[];
}

export interface PublishedView {
  readonly name: string;
  readonly version: number;
  readonly createdAt: string;
  readonly plan: PlanView;
}

export interface PipelineView extends PublishedView {
  readonly enabled: boolean;
  readonly publishedAt: string;
  readonly definition: unknown;
}

export interface DatasetView {
  readonly id: string;
  readonly name: string;
  readonly format: 'csv' | 'ndjson' | 'json';
  readonly columns: readonly string[] | null;
  readonly separator?: string;
  readonly itemCount: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: string;
}

export interface DestinationView {
  readonly name: string;
  readonly match: { readonly host: string } | null;
  readonly maxConcurrency: number | null;
  readonly rate: { readonly limit: number; readonly per: '1s' | '1m' | '1h'; readonly burst?: number } | null;
  readonly adaptive: boolean;
  readonly implicit: boolean;
  readonly inUse: number;
  readonly waiting: number;
  /** Calls at once that are in force now: the least of all that limits them; null: any number. */
  readonly limit: number | null;
  /** Units that may start now, and from when on the next call may (null: now). */
  readonly rateState: { readonly available: number; readonly nextAt: string | null } | null;
  readonly adaptiveLimit: number | null;
  readonly breaker: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  readonly breakerUntil: string | null;
  readonly throttledUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}
