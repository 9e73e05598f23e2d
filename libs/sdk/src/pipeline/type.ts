declare const carried: unique symbol;

/** A type that is only known to the compiler; at run time it is nothing. */
export interface Type<T> {
  readonly [carried]?: T;
}

/** `type<{ id: string }>()`: says what something is where nothing could be inferred. */
export function type<T>(): Type<T> {
  return {};
}
