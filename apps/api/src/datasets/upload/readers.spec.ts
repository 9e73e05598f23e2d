import fc from 'fast-check';
import { csvCell, errorColumns, neutralCell } from './csv-export-marks.js';
import { CsvReader } from './csv-reader.js';
import type { ItemReader, ItemSink } from './item-reader.js';
import { JsonArrayReader } from './json-array-reader.js';
import { NdjsonReader } from './ndjson-reader.js';
import { TextDecoding } from './text-decoding.js';

/** Feeds the bytes in pieces that end wherever the sizes say. */
function read(
  make: (sink: ItemSink) => ItemReader,
  bytes: Buffer,
  sizes: readonly number[],
): { items: string[]; reader: ItemReader } {
  const items: string[] = [];
  const reader = make((item) => items.push(item));
  const decoding = new TextDecoding((text) => reader.push(text));
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    decoding.push(bytes.subarray(at, at + size));
    at += size;
  }
  decoding.end();
  reader.end();
  return { items, reader };
}

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.stringMatching(/^[",;\r\n\t'=+@ \\-]{0,5}$/),
  fc.constantFrom('', '🚀', 'é', '\u0000', '-1.5', '+49', "'=x", '\ufeff'),
);
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }));
const header = (width: number) => Array.from({ length: width }, (_, i) => `c${i}`);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('readers cut an upload the same way wherever its pieces end', () => {
  it('CSV, in every encoding, with every line ending', () => {
    fc.assert(
      fc.property(
        table,
        sizes,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.constantFrom('utf8', 'le', 'be'),
        (rows, parts, end, last, encoding) => {
          const names = header(rows[0]?.length ?? 1);
          const text = [names, ...rows].map((row) => row.map(quoted).join(',')).join(end) + (last ? end : '');
          const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
          const bytes =
            encoding === 'utf8' ? Buffer.from(text) : encoding === 'le' ? utf16 : Buffer.from(utf16).swap16();
          const { items, reader } = read((sink) => new CsvReader(',', sink), bytes, parts);
          expect(reader.columns).toEqual(names);
          expect(items.map((item) => JSON.parse(item))).toEqual(
            rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i]!, value]))),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('an export of failed items, restored cell for cell', () => {
    fc.assert(
      fc.property(table, sizes, fc.constantFrom(',', ';', '\t'), (rows, parts, separator) => {
        const names = header(rows[0]?.length ?? 1);
        const line = (row: readonly string[]) =>
          row.map((value) => csvCell(neutralCell(value), separator)).join(separator);
        const text = [[...names, ...errorColumns], ...rows.map((row) => [...row, 'PERMANENT', '=x', '-y'])]
          .map(line)
          .join('\r\n');
        const { items, reader } = read((sink) => new CsvReader(separator, sink), Buffer.from(text), parts);
        expect(reader.columns).toEqual(names);
        expect(items.map((item) => Object.values(JSON.parse(item) as object))).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  it('JSON and NDJSON, as exact texts', () => {
    const value = fc.json({ maxDepth: 3 });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), sizes, fc.constantFrom('', ' ', '\n '), (texts, parts, space) => {
        const json = Buffer.from(`${space}[${texts.map((text) => space + text + space).join(',')}${space}]${space}`);
        expect(read((sink) => new JsonArrayReader(sink), json, parts).items).toEqual(texts);
        const ndjson = Buffer.from(texts.map((text) => `${text}\r\n`).join('\n'));
        expect(read((sink) => new NdjsonReader(sink), ndjson, parts).items).toEqual(texts);
      }),
      { numRuns: 300 },
    );
  });

  it('bytes that are no UTF-8 are found however they are cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 40 }), sizes, (bytes, parts) => {
        const body = Buffer.concat([Buffer.from('abc'), bytes]);
        let told = '';
        const decoding = new TextDecoding((text) => (told += text));
        let failed = false;
        try {
          for (let at = 0, i = 0; at < body.length; at += parts[i++ % parts.length]!)
            decoding.push(body.subarray(at, at + parts[i % parts.length]!));
          decoding.end();
        } catch {
          failed = true;
        }
        let sound = true;
        try {
          new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
        } catch {
          sound = false;
        }
        expect(failed).toBe(!sound);
        expect(told).not.toContain('\ufffd\ufffd\ufffd\ufffd');
        if (sound) expect(told).toBe(body.toString('utf8'));
      }),
      { numRuns: 500 },
    );
  });
});
