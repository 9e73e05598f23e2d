// Files converted by a program: no service, no handler, and no shell between a name and its meaning. What ends with an exit
// code of wrong usage is not tried again; everything else is, three times.
import { definePipeline, merge, shell, spawner, type, type Execution, type FanfoldClient } from '@fanfold/sdk';

interface Conversion {
  readonly from: string;
  readonly to: string;
}

export const conversion = definePipeline(
  { name: 'file-conversion', input: type<{ files: Conversion[] }>() },
  ({ input, add }) => {
    const converted = add(
      'converted',
      spawner({
        items: input.files,
        itemKey: ({ item }) => item.to,
        node: ({ item }) =>
          // The script is a constant; names of files are its arguments, whatever they hold.
          shell(
            { command: ['sh', '-c', 'tr a-z A-Z < "$1" > "$2" && wc -c < "$2"', 'sh', item.from, item.to] },
            { timeout: '1m', retry: { maxAttempts: 3, initialDelay: '100ms' } },
            type<number>(),
          ),
      }),
    );
    return add('join', merge({ of: converted, results: 'INLINE', tolerateChildFailures: ['FAILED'] }));
  },
);

/** @returns the execution when every file has been tried: who could not be converted is in its output */
export async function convert(client: FanfoldClient, files: Conversion[]): Promise<Execution> {
  await client.pipelines.publish(conversion);
  const { id } = await client.pipelines.start(conversion, { input: { files } });
  return client.executions.settled(id);
}
