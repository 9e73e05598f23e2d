import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

const ownPaths = /^\/(v1|docs|docs-json|docs-yaml|health|metrics)(\/|$)/;

/**
 * Serves the built dashboard beside the api: its files, and its page for every other path that a browser asks for, as
 * the dashboard finds its way by itself.
 */
export function serveDashboard(app: NestExpressApplication, folder: string): void {
  app.useStaticAssets(folder, { index: 'index.html', maxAge: '1h' });
  app.use((request: Request, response: Response, next: NextFunction) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    if (!wantsPage || ownPaths.test(request.path)) return next();
    response.setHeader('cache-control', 'no-cache');
    response.sendFile(join(folder, 'index.html'));
  });
}
