import type { Request } from 'express';

interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>>; readonly path: string };
  match(path: string): boolean;
}

/** The methods that the path of a request knows; empty for a path that leads nowhere. */
export function allowedMethods(request: Request): string[] {
  const { router } = request.app as unknown as { router: { stack: readonly RouteLayer[] } };
  const methods = new Set<string>();
  for (const layer of router.stack)
    if (layer.route && !layer.route.path.includes('*') && matches(layer, request.path))
      for (const method of Object.keys(layer.route.methods)) if (method !== '_all') methods.add(method.toUpperCase());
  return [...methods].sort();
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
