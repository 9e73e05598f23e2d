import { z } from 'zod';
import { address, text, wholeNumber } from '../variable.js';

export const httpVariables = (portDefault: number, hostDefault: string) => ({
  PORT: wholeNumber(0, 65_535).prefault(String(portDefault)).meta({
    description: 'Port of the http listener; 0 takes a free one.',
    fallback: '3000 for api and standalone, 3001 orchestrator, 3002 executor',
  }),
  HOST: text()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an address')
    .prefault(hostDefault)
    .meta({
      description: 'Address of the http listener.',
      fallback: '127.0.0.1 for standalone, 0.0.0.0 for services',
    }),
  HTTP_BODY_LIMIT_BYTES: wholeNumber(1_024, 1_073_741_824)
    .prefault('16777216')
    .meta({ description: 'Largest request body, measured after decompression.' }),
  FANFOLD_PUBLIC_URL: address('http', 'https')
    .optional()
    .meta({ description: 'The address under which people reach the api, for links.' }),
});

/** The http listener of a process. */
export interface HttpConfig {
  readonly port: number;
  readonly host: string;
  readonly bodyLimitBytes: number;
  readonly publicUrl: string | undefined;
}

const schema = z.object(httpVariables(0, ''));

export const httpConfig = (values: z.output<typeof schema>): HttpConfig => ({
  port: values.PORT,
  host: values.HOST,
  bodyLimitBytes: values.HTTP_BODY_LIMIT_BYTES,
  publicUrl: values.FANFOLD_PUBLIC_URL,
});

/** Whether nobody but this machine can connect to that address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
