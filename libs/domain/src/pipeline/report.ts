import type { Defect } from '../expression/defect.js';

/** Collects everything that is wrong with a definition, so that one answer tells it all. */
export class Report {
  readonly defects: Defect[] = [];

  add(path: string, message: string): void {
    this.defects.push({ path, message });
  }
}
