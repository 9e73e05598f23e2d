import type { Server } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

/**
 * Closes connections that fall idle after the server has stopped listening: the server itself closes only those that are
 * idle at that moment, and one kept alive would hold the process until its time is over.
 */
export function lastAnswers(server: Server) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.once('finish', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
    next();
  };
}
