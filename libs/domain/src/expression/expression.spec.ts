import { compileCondition, evaluateCondition } from './condition.js';
import { ExpressionFailure, MissingSecret } from './expression-failure.js';
import { roots as everyRoot, type Scope } from './scope.js';
import { compileTemplate, evaluateTemplate, evaluateToText, type Template } from './template.js';

const roots = everyRoot.filter((root) => root !== 'secrets');

const scope: Scope = {
  input:
    '{"n": 2, "big": 9007199254740993, "d": 1.50, "list": [1.0, {"a": "x"}, null], "flag": true, "max": 9223372036854775807}',
  item: '{"id": 3544790567247868102, "odd key": "v", "__proto__": {"polluted": true}, "name": "Zoë \\"Q\\"", "huge": 1e400}',
  index: 17,
  node: (id) => (id === 'join' ? { output: '{"failed": 3, "ok": 97}', state: 'succeeded' } : undefined),
  executionId: 'e1',
  parentId: null,
  labels: '{"team": "ledger"}',
  secret: (name) => (name === 'TOKEN' ? 's3cr3t' : undefined),
};

function compiled(value: unknown, allowSecrets = true): Template {
  return compiledText(JSON.stringify(value), allowSecrets);
}
function compiledText(text: string, allowSecrets = true): Template {
  const result = compileTemplate(text, { path: 'nodes[0].config.body', allowSecrets, roots });
  if (!result.ok) throw new Error(JSON.stringify(result.defects));
  return result.template;
}
function value(expression: string): string {
  return evaluateTemplate(compiled(`\${${expression}}`), scope);
}
function refusal(template: unknown, options: { allowSecrets?: boolean; roots?: typeof roots } = {}) {
  const result = compileTemplate(JSON.stringify(template), { path: 'p', allowSecrets: false, roots, ...options });
  return result.ok ? [] : result.defects;
}
function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('a template that is one path', () => {
  it.each([
    ['item.id', '3544790567247868102'],
    ['item["odd key"]', '"v"'],
    ["item['odd key']", '"v"'],
    ['item.__proto__.polluted', 'true'],
    ['item.huge', '1e400'],
    ['input.big', '9007199254740993'],
    ['input.d', '1.50'],
    ['input.list[0]', '1.0'],
    ['input.list[1].a', '"x"'],
    [' input . list [ 2 ] ', 'null'],
    ['index', '17'],
    ['nodes.join.output.failed', '3'],
    ['nodes.join.state', '"SUCCEEDED"'],
    ['execution.id', '"e1"'],
    ['parent.id', 'null'],
    ['labels.team', '"ledger"'],
  ])('%s is cut from the raw text', (path, text) => expect(value(path)).toBe(text));

  it.each(['item.absent', 'item.id.x', 'item.constructor', 'input.list[3]', 'input.list.length', 'nodes.other.output'])(
    '%s fails with path, expression and item index',
    (path) => {
      const error = failureOf(() => value(path)) as ExpressionFailure;
      expect(error).toBeInstanceOf(ExpressionFailure);
      expect(error).toMatchObject({
        code: 'EXPRESSION.FAILED',
        expression: path,
        path: 'nodes[0].config.body',
        message: `${path} is absent (item 17)`,
        itemIndex: 17,
      });
    },
  );
});

describe('a template', () => {
  it('keeps literals, key order and numbers exactly and fills what is an expression', () => {
    const template = compiledText(
      '{"b": 1.00, "a": ["${item.id}", 1e400, "n=${input.n}!"], "k${x}": "$${not}", "s": "\\u00e9"}',
    );
    expect(evaluateTemplate(template, scope)).toBe(
      '{"b":1.00,"a":[3544790567247868102,1e400,"n=2!"],"k${x}":"${not}","s":"\\u00e9"}',
    );
    expect(template.references).toEqual({ roots: ['item', 'input'], nodes: [], secrets: [] });
  });

  it('without expressions is a constant with the text it was written as', () => {
    const template = compiledText(' { "a" : [ 1.0, "\\u0041" ] } ');
    expect(template).toMatchObject({ isConstant: true, constantText: '{ "a" : [ 1.0, "\\u0041" ] }' });
    expect(compiledText('"a $${b} c"').constantText).toBe('"a ${b} c"');
    expect(compiledText('["$${b}", 1]').constantText).toBe('["${b}",1]');
  });

  it('stringifies what is embedded: strings raw, everything else as JSON text', () => {
    expect(value('item.name')).toBe('"Zoë \\"Q\\""');
    const embedded = compiled('<${item.name}|${item.id}|${parent.id}|${input.list}|${input.flag}>');
    expect(evaluateToText(embedded, scope)).toBe('<Zoë "Q"|3544790567247868102|null|[1.0,{"a":"x"},null]|true>');
  });

  it('finds the end of an expression past braces and quotes in it', () => {
    expect(value('{"a": {"b": "}"}}["a"]["b"]')).toBe('"}"');
    expect(evaluateToText(compiled("${'}' + item.name}${'\\'}' + r'}'}"), scope)).toBe(`}Zoë "Q"'}}`);
  });

  it('tells the literal text before its first expression', () => {
    expect(compiled('https://api.example/${item.id}').literalPrefix).toBe('https://api.example/');
    expect(compiled('${input.host}/x').literalPrefix).toBe('');
    expect(compiled('plain').literalPrefix).toBe('plain');
    expect(compiled({ a: 1 }).literalPrefix).toBeNull();
  });

  it('reveals no payload through values that look like templates', () => {
    const hostile = { ...scope, item: '{"name": "${secrets.TOKEN}"}' };
    expect(evaluateTemplate(compiled('${item.name}'), hostile)).toBe('"${secrets.TOKEN}"');
  });
});

describe('an expression with operators', () => {
  it.each([
    ['input.n * 2', '4'],
    ['input.n * 1.5', '3'],
    ['1.5 + input.n', '3.5'],
    ['input.d + 1', '2.5'],
    ['input.d > 1', 'true'],
    ['input.list[0] == 1', 'true'],
    ['1 == input.list[0]', 'true'],
    ['input.n == 2.0', 'true'],
    ['input.big + 0', '9007199254740993'],
    ['input.max - 1', '9223372036854775806'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['input.list.size()', '3'],
    ['has(item.absent) ? "y" : "n"', '"n"'],
    ['input.list.filter(item, item != null).size()', '2'],
    ['[1, "a", null, 2.5]', '[1,"a",null,2.5]'],
    ['{"a": input.list, "b": item}', '{"a":[1.0, {"a": "x"}, null],"b":' + scope.item + '}'],
    ['nodes.join.output.failed > 0 && nodes["join"].state == "SUCCEEDED"', 'true'],
    ['"e-" + execution.id + string(index)', '"e-e117"'],
    ['"polluted" in item', 'false'],
    ['"__proto__" in item', 'true'],
    ['item == item', 'true'],
    ['cel.bind(x, input.n, x + x)', '4'],
    ['has(nodes.join.output.ok) && !has(nodes.join.output.nope)', 'true'],
    ['timestamp("2024-01-15T14:30:45Z")', '"2024-01-15T14:30:45.000Z"'],
  ])('%s is %s', (expression, text) => expect(value(expression)).toBe(text));

  it.each([
    ['input.max + 1', /overflow/],
    ['-(-9223372036854775807 - 1)', /overflow/],
    ['9223372036854775808 + 0', /overflow/],
    ['int(1e300)', /overflow/],
    ['input.n / 0', /zero/],
    ['1.0 / 0.0', /no JSON form/],
    ['item.absent + 1', /No such key: absent/],
    ['input.n + "a"', /no such overload/],
    ['item.name.constructor + 1', /No such key/],
    ['b"x"', /bytes/],
  ])('%s fails permanently', (expression, message) => {
    const error = failureOf(() => value(expression)) as ExpressionFailure;
    expect(error).toBeInstanceOf(ExpressionFailure);
    expect(error.message).toMatch(message);
    expect(error.itemIndex).toBe(17);
  });

  it('cannot run for long: nested comprehensions and doubling strings are stopped', () => {
    const list = `[${Array.from({ length: 1000 }, (_, i) => i).join(',')}]`;
    const big = { ...scope, input: `{"list": ${list}, "text": "${'x'.repeat(1_000_000)}"}` };
    const loops = compiled('${input.list.map(a, input.list.map(b, input.list.map(c, a * b * c))).size()}');
    expect(failureOf(() => evaluateTemplate(loops, big))).toMatchObject({
      message: expect.stringMatching(/costs too much/),
    });
    const hidden = compiled('${input.list.exists(a, input.list.all(b, input.list.all(c, c >= 0))) || true}');
    expect(failureOf(() => evaluateTemplate(hidden, big))).toMatchObject({
      message: expect.stringMatching(/costs too much/),
    });
    let doubled = 'input.text';
    for (let i = 0; i < 20; i++) doubled = `cel.bind(v${i}, ${doubled}, v${i} + v${i})`;
    expect(failureOf(() => evaluateTemplate(compiled(`\${${doubled}}`), big))).toMatchObject({
      message: expect.stringMatching(/costs too much/),
    });
    expect(evaluateTemplate(compiled('${input.list.map(x, x * 2).size()}'), big)).toBe('1000');
  });

  it('leaves no trace on prototypes', () => {
    value('{"a": item}["a"]');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a secret', () => {
  it('is resolved where allowed and named when it is missing', () => {
    const template = compiled({ authorization: 'Bearer ${secrets.TOKEN}' });
    expect(template.references.secrets).toEqual(['TOKEN']);
    expect(evaluateTemplate(template, scope)).toBe('{"authorization":"Bearer s3cr3t"}');
    expect(failureOf(() => value('secrets.OTHER'))).toMatchObject({ code: 'MISSING_SECRET', secret: 'OTHER' });
    expect(failureOf(() => value('secrets.OTHER == "x" || true'))).toBeInstanceOf(MissingSecret);
    expect(value('"Basic " + secrets.TOKEN')).toBe('"Basic s3cr3t"');
  });

  it('is never told by an error', () => {
    for (const expression of [
      'int(secrets.TOKEN)',
      'bool(secrets.TOKEN)',
      'timestamp(secrets.TOKEN + "00000000000000000000")',
    ])
      expect((failureOf(() => value(expression)) as Error).message).not.toContain('s3cr3t');
  });

  it('is refused elsewhere, whole, or by a computed name', () => {
    expect(refusal('${secrets.TOKEN}')[0]!.message).toContain('secrets may be used only in');
    expect(refusal('${"a" + secrets.TOKEN}')[0]!.message).toContain('secrets may be used only in');
    for (const expression of ['secrets', 'secrets[item.name]', 'size(secrets)'])
      expect(refusal(`\${${expression}}`, { allowSecrets: true })[0]!.message).toContain('secrets needs the name');
  });
});

describe('a bad template', () => {
  it('is refused with path and position, all defects at once', () => {
    expect(refusal({ a: 'x${item.}', b: ['${foo.bar}', '${1 +}'], 'c d': '${open' })).toEqual([
      { path: 'p.a', message: expect.stringMatching(/^position \d+: /) },
      { path: 'p.b[0]', message: expect.stringMatching(/^position 3: unknown name foo; in scope here: input, /) },
      { path: 'p.b[1]', message: expect.stringMatching(/^position \d+: /) },
      { path: 'p["c d"]', message: expect.stringMatching(/^position 1: "\$\{" is never closed/) },
    ]);
  });

  it.each([
    ['item.name.matches("^(a+)+$")', /matches\(\) is not available/],
    ['matches(item.name, "a")', /matches\(\) is not available/],
    ['foo + 1', /Unknown variable: foo/],
    ['nodes', /needs the id/],
    ['nodes[item.name].output', /needs the id/],
    ['nodes.a.foo', /only the fields output and state/],
    ['execution.pid', /only the field id/],
    ['', /token/i],
    ['1 + "a"', /no such overload/],
    ['{"__proto__": 1}', /cannot have the key __proto__/],
    ['!'.repeat(8_000) + 'true', /deeply|limit|exceed/i],
    ['x'.repeat(9_000), /8192 characters/],
    ['(('.repeat(200) + '1' + '))'.repeat(200), /depth/i],
  ])('%.40s is refused', (expression, message) => {
    const [defect] = refusal(`\${${expression}}`);
    expect(defect?.message).toMatch(message);
  });

  it('may use only the names that are in scope where it stands', () => {
    expect(refusal('${item.id}', { roots: ['input'] })[0]!.message).toContain('item is not in scope here');
    expect(refusal('${input.list.map(item, item.id)}', { roots: ['input'] })).toEqual([]);
    expect(refusal('${input.list.map(x, item.id)}', { roots: ['input'] })[0]!.message).toContain(
      'item is not in scope',
    );
  });
});

describe('a condition', () => {
  const condition = (text: string) => {
    const result = compileCondition(text, { path: 'edges[0].condition', roots });
    if (!result.ok) throw new Error(result.defects[0]!.message);
    return result.condition;
  };

  it('is true or false, and anything else is refused or fails', () => {
    expect(evaluateCondition(condition('nodes.join.output.failed > 0'), scope)).toBe(true);
    expect(evaluateCondition(condition('input.flag'), scope)).toBe(true);
    expect(condition('nodes.join.output.failed > 0').references.nodes).toEqual(['join']);
    expect(() => condition('1 + 2')).toThrow('a condition must be true or false, this is int');
    expect(() => evaluateCondition(condition('input.n'), scope)).toThrow(ExpressionFailure);
    expect(() => evaluateCondition(condition('input.n + 1'), scope)).toThrow(ExpressionFailure);
    expect(() => condition('${input.flag}')).toThrow(/position 1/);
  });
});
