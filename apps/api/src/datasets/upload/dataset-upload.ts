/**
 * One upload: bytes → text → items → chunks → rows, each as the piece before arrives, so memory stays flat whatever the
 * size. While a batch of chunks is on its way to the database the next is being read; more than that is not taken from
 * the sender.
 *
 * Nothing of a refused upload is kept: its rows go before the refusal is told. If the process dies, the rows are
 * unseen (the dataset is not complete) and swept away later.
 */
import type { Readable } from 'node:stream';
import { chunksPerInsert, type Database, type DatasetFormat, type DatasetStore } from '@app/persistence';
import { ChunkPacker } from './chunk-packer.js';
import { CsvReader } from './csv-reader.js';
import { uploadDefect, type ItemReader, type ItemSink } from './item-reader.js';
import { JsonArrayReader } from './json-array-reader.js';
import { NdjsonReader } from './ndjson-reader.js';
import { TextDecoding, Undecodable } from './text-decoding.js';
import { UploadBytes } from './upload-bytes.js';

export interface UploadRequest {
  readonly id: string;
  readonly format: DatasetFormat;
  readonly separator: string;
  readonly body: Readable;
}

export interface UploadedItems {
  readonly columns: readonly string[] | null;
  readonly itemCount: number;
  readonly bytes: number;
  readonly sha256: string;
}

export class DatasetUpload {
  private readonly packer = new ChunkPacker();
  private readonly bytes = new UploadBytes();
  private readonly reader: ItemReader;
  private readonly decoding: TextDecoding;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown = null;

  constructor(
    private readonly request: UploadRequest,
    private readonly database: Database,
    private readonly datasets: DatasetStore,
  ) {
    this.reader = readerOf(request, (item) => this.packer.add(item));
    this.decoding = new TextDecoding((text) => this.reader.push(text));
  }

  /** Reads the whole body and writes its items. Waits for what is on its way also when it fails. */
  async run(): Promise<UploadedItems> {
    try {
      for await (const chunk of this.bytes.of(this.request.body)) {
        this.decode(() => this.decoding.push(chunk));
        if (this.packer.waiting >= chunksPerInsert) await this.write();
      }
      this.decode(() => this.decoding.end());
      this.reader.end();
      this.packer.close();
      while (this.packer.waiting > 0) await this.write();
      await this.write();
    } finally {
      await this.writing.catch(() => undefined);
    }
    const { columns } = this.reader;
    return { columns, itemCount: this.packer.itemCount, bytes: this.bytes.count, sha256: this.bytes.sha256() };
  }

  private decode(push: () => void): void {
    try {
      push();
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      const { row, column } = this.reader.position();
      throw uploadDefect('UNDECODABLE', row, column, `there are bytes that are not ${error.encoding}`);
    }
  }

  /** Waits for the batch before and sends the next one off. */
  private async write(): Promise<void> {
    await this.writing;
    if (this.failure !== null) throw this.failure as Error;
    const chunks = this.packer.take(chunksPerInsert);
    if (chunks.length === 0) return;
    const { id } = this.request;
    this.writing = this.datasets.append(this.database.any, { id, chunks }).catch((error: unknown) => {
      this.failure = error;
    });
  }
}

function readerOf(request: UploadRequest, sink: ItemSink): ItemReader {
  if (request.format === 'csv') return new CsvReader(request.separator, sink);
  return request.format === 'ndjson' ? new NdjsonReader(sink) : new JsonArrayReader(sink);
}
