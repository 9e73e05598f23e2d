import { z } from 'zod';
import type { LogLevel } from '../../logging/pino-logger.js';
import { address, logLevel, wholeNumber } from '../variable.js';

export const processVariables = {
  SHUTDOWN_GRACE_MS: wholeNumber(100, 3_600_000)
    .prefault('25000')
    .meta({ description: 'Time from SIGTERM to the end of the process.' }),
  LOG_LEVEL: logLevel().prefault('info').meta({ description: 'trace, debug, info, warn, error, fatal or silent.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http', 'https').optional().meta({ description: 'Where traces go.' }),
};

/** How the process itself lives. */
export interface ProcessConfig {
  readonly shutdownGraceMs: number;
  readonly logLevel: LogLevel;
  readonly otlpEndpoint: string | undefined;
}

const schema = z.object(processVariables);

export const processConfig = (values: z.output<typeof schema>): ProcessConfig => ({
  shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
  logLevel: values.LOG_LEVEL,
  otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
});
