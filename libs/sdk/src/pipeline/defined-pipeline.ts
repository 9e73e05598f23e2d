import type { Type } from './type.js';

/** A pipeline that was defined in code: its JSON definition, and the types of what goes in and comes out. */
export interface DefinedPipeline<Input = never, Output = unknown> {
  readonly name: string;
  /** Exactly what is published, as plain JSON. */
  readonly definition: {
    readonly name: string;
    readonly nodes: readonly unknown[];
    readonly [member: string]: unknown;
  };
  /** The definition, so that `JSON.stringify` of the pipeline is it. */
  toJSON(): unknown;
  readonly input?: Type<(input: Input) => void>;
  readonly output?: Type<Output>;
}
