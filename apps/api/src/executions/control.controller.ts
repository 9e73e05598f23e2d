import { Controller, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { cutPath, errorClasses, squeeze } from '@app/domain';
import { z } from 'zod';
import { execution, redriven } from '../docs/answers/execution-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiRequestKey } from '../docs/api-docs.js';
import { refused } from '../problem/problem.js';
import { accepted, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { parseBody } from '../request/body.js';
import { knownId } from '../request/ids.js';
import { labelDefect } from '../request/names.js';
import { CONTROL, type Controlled, type ControlPort } from './control-port.js';
import { orRefusal } from './control-refusal.js';
import { ExecutionReader } from './execution-reader.js';
import { wholeNumber } from '../request/whole-number.js';

const cascade = z.object({ cascade: z.boolean().default(true) });
const retry = z.object({ from: z.string().min(1).max(63).optional() });
const redrive = z.object({
  state: z
    .array(z.enum(['FAILED', 'CANCELLED']))
    .min(1)
    .default(['FAILED']),
  node: z.string().optional(),
  fingerprint: z.string().optional(),
  class: z.enum(errorClasses).optional(),
  itemIndexes: z.array(wholeNumber(0)).min(1, 'must name at least one item').optional(),
  dryRun: z.boolean().optional(),
});
const ofRatio = 'must be a number from 0 to 1';
const fanOut = z.object({
  maxConcurrency: wholeNumber(1).nullable().optional(),
  failureTolerance: z
    .strictObject({
      maxFailureRatio: z.number(ofRatio).min(0, ofRatio).max(1, ofRatio).optional(),
      maxFailureCount: wholeNumber(0).optional(),
    })
    .optional(),
  priority: wholeNumber(0, 9).optional(),
});

/** What an operator can do to an execution. */
@ApiTags('control')
@Controller('v1/executions/:id')
export class ControlController {
  constructor(
    @Inject(CONTROL) private readonly control: ControlPort,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
  ) {}

  @Post('pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Stop new claims; what runs ends and keeps its result' })
  @ApiAnswer(execution)
  @ApiJsonBody(cascade, false)
  @ApiRequestKey()
  pause(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.pause(id, parseBody(cascade, request.bodyText)));
  }

  @Post('resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Go on after a pause' })
  @ApiAnswer(execution)
  @ApiJsonBody(cascade, false)
  @ApiRequestKey()
  resume(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.resume(id, parseBody(cascade, request.bodyText)));
  }

  @Post('release')
  @HttpCode(200)
  @ApiOperation({ summary: 'Let one child, with all below it, run although it stands under a pause' })
  @ApiAnswer(execution)
  @ApiRequestKey()
  release(@Param('id') text: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.release(id));
  }

  @Post('cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel; after the answer no new task starts anywhere below' })
  @ApiAnswer(execution)
  @ApiJsonBody(cascade, false)
  @ApiRequestKey()
  cancel(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.cancel(id, parseBody(cascade, request.bodyText)));
  }

  @Post('retry')
  @HttpCode(200)
  @ApiOperation({ summary: 'Run the failed nodes again, or those from a node on' })
  @ApiAnswer(execution)
  @ApiJsonBody(retry, false)
  @ApiRequestKey()
  retry(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.retry(id, parseBody(retry, request.bodyText)));
  }

  @Post('redrive')
  @HttpCode(200)
  @ApiOperation({ summary: 'Run failed children of a fan-out again' })
  @ApiAnswer(redriven)
  @ApiJsonBody(redrive, false)
  @ApiRequestKey()
  async redrive(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const filter = parseBody(redrive, request.bodyText);
    const { matched, redriven } = orRefusal(await this.control.redrive(knownId(text), filter));
    return { matched, redriven };
  }

  @Patch('fan-outs/:node')
  @ApiOperation({ summary: 'Change the limits of a fan-out, in force at once' })
  @ApiAnswer(execution)
  @ApiJsonBody(fanOut)
  patch(@Req() request: ApiRequest, @Param('id') text: string, @Param('node') node: string): Promise<unknown> {
    const { failureTolerance, ...rest } = parseBody(fanOut, request.bodyText);
    if (failureTolerance === undefined && Object.keys(rest).length === 0)
      throw refused([{ path: '', message: 'must change something' }]);
    // The ratio is passed on as the decimal text it was written as.
    const ratio = cutPath(request.bodyText, ['failureTolerance', 'maxFailureRatio']);
    const tolerance = failureTolerance && { ...failureTolerance, maxFailureRatio: ratio };
    return this.moved(text, (id) => this.control.patchFanOut(id, node, { ...rest, failureTolerance: tolerance }));
  }

  @Post('fan-outs/:node/pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Start nothing more of one fan-out; the other branches go on' })
  @ApiAnswer(execution)
  @ApiRequestKey()
  pauseFanOut(@Param('id') text: string, @Param('node') node: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.pauseFanOut(id, node));
  }

  @Post('fan-outs/:node/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Go on with a fan-out after a pause' })
  @ApiAnswer(execution)
  @ApiRequestKey()
  resumeFanOut(@Param('id') text: string, @Param('node') node: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.resumeFanOut(id, node));
  }

  @Post('fan-outs/:node/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel what of a fan-out has not settled; its merge judges by its tolerance' })
  @ApiAnswer(execution)
  @ApiRequestKey()
  cancelFanOut(@Param('id') text: string, @Param('node') node: string): Promise<unknown> {
    return this.moved(text, (id) => this.control.cancelFanOut(id, node));
  }

  @Post('signals/:name')
  @HttpCode(202)
  @ApiOperation({ summary: 'Send a signal; it is kept if nobody waits for it yet' })
  @ApiAccepted()
  @ApiBody({ required: false, schema: {} })
  @ApiRequestKey()
  async signal(@Req() request: ApiRequest, @Param('id') text: string, @Param('name') name: string): Promise<Answer> {
    const defect = labelDefect(name);
    if (defect) throw refused([{ path: 'name', message: defect }]);
    orRefusal(await this.control.signal(knownId(text), name, squeeze(request.bodyText)));
    return accepted();
  }

  private async moved(text: string, move: (id: string) => Promise<Controlled>): Promise<unknown> {
    const id = knownId(text);
    orRefusal(await move(id));
    return this.reader.view(id);
  }
}
