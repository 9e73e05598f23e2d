import { checkJson } from '@app/domain';
import { Secrets } from './secrets.js';

const opened = (values: Record<string, string>) => {
  const secrets = new Secrets(values, undefined).open();
  for (const name of Object.keys(values)) secrets.value(name);
  return secrets;
};

describe('redaction', () => {
  it('replaces only secrets that were used', () => {
    const secrets = new Secrets({ A: 'alpha', B: 'bravo' }, undefined).open();
    expect(secrets.used).toBe(false);
    expect(secrets.redact('alpha bravo')).toBe('alpha bravo');
    secrets.value('A');
    expect(secrets.redact('alpha bravo alpha')).toBe('[secret A] bravo [secret A]');
  });

  it('takes the longest first, whatever the order of use', () => {
    const secrets = opened({ SHORT: 'pass', LONG: 'password-1' });
    expect(secrets.redact('password-1 pass')).toBe('[secret LONG] [secret SHORT]');
  });

  it('takes no part in patterns of replacement or of search', () => {
    expect(opened({ A: '$&.*' }).redact('x $&.* y')).toBe('x [secret A] y');
  });

  it('leaves alone what is too short to be a secret', () => {
    expect(opened({ A: '1', B: '' }).redactJson('{"n":1,"b":""}')).toBe('{"n":1,"b":""}');
  });

  it.each([
    ['{"a":"x secretive y","n":1.50}', '{"a":"x [secret A] y","n":1.50}'],
    ['{"a":"x \\u0073ecretive y"}', '{"a":"x [secret A] y"}'],
    ['{"secretive":[true]}', '{"[secret A]":[true]}'],
    ['["\\ud800\\u0000 ok",9007199254740993, null]', '["\\ud800\\u0000 ok",9007199254740993, null]'],
    ['[4242424242,"4242424242",-142424242429e1]', '["[secret N]","[secret N]","-1[secret N]9e1"]'],
    ['"quote \\" and \\\\"', '"quote \\" and \\\\"'],
    ['"secretive', '"secretive'],
  ])('keeps JSON JSON: %s', (text, redacted) => {
    const secrets = opened({ A: 'secretive', N: '4242424242' });
    expect(secrets.redactJson(text)).toBe(redacted);
    if (checkJson(text) === null) expect(checkJson(redacted)).toBeNull();
  });

  it('finds a value that JSON must escape', () => {
    const value = 'a"b\\c\nd';
    expect(opened({ A: value }).redactJson(JSON.stringify({ v: `<${value}>` }))).toBe('{"v":"<[secret A]>"}');
  });

  it('is linear in a text of many megabytes', () => {
    const text = JSON.stringify({ v: 'x'.repeat(8_000_000), w: Array.from({ length: 100_000 }, (_, i) => `s${i}`) });
    expect(opened({ A: 'secretive' }).redactJson(text)).toBe(text);
  });
});
