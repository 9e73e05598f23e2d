interface Telling {
  readonly kind: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** What an engine tells the executor that it has forked, over their channel. */
export interface ToldByEngine {
  /** The variables it is configured by. */
  readonly environment: Promise<Readonly<Record<string, string>>>;
  /** It may take work. */
  readonly begin: Promise<void>;
}

/** Listens from now on. An engine that is gone before it has told anything ends this process: nothing is left to wait for. */
export function toldByEngine(): ToldByEngine {
  let begin: () => void = () => undefined;
  const mayBegin = new Promise<void>((resolve) => (begin = resolve));
  const environment = new Promise<Readonly<Record<string, string>>>((resolve) =>
    process.on('message', ({ kind, values }: Telling) => {
      if (kind === 'environment') resolve(values!);
      else if (kind === 'begin') begin();
    }),
  );
  return { environment, begin: mayBegin };
}
