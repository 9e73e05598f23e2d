import { fsck, openDatabase } from '@app/persistence';
import { databaseOfEnvironment } from './database-of-environment.js';

/** Prints what breaks an invariant. @returns the exit code: 0 clean, 1 breaches, 2 no database */
export async function checkInvariants(): Promise<number> {
  const settings = databaseOfEnvironment();
  if (!settings) return 2;
  const database = await openDatabase({ ...settings, patient: true }, () => undefined);
  try {
    const breaches = await fsck(database.any);
    for (const b of breaches)
      process.stdout.write(`${b.invariant} ${b.subject}: ${b.problem} (promised: ${b.promise})\n`);
    process.stdout.write(breaches.length === 0 ? 'fsck: clean\n' : `fsck: ${breaches.length} breaches\n`);
    return breaches.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}
