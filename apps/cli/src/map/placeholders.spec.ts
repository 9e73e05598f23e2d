import { renderedWord, segmentsOf, templateOf } from './placeholders.js';

const columns = { names: ['id', 'first name', 'a.b'] };
const template = (word: string, of = columns as { names: readonly string[] | null }): string =>
  templateOf(segmentsOf(word, of), of);

describe('a placeholder', () => {
  it.each([
    ['{id}', '${item["id"]}'],
    ['--to={first name}!', '--to=${item["first name"]}!'],
    ['{a.b}', '${item["a.b"]}'],
    ['{#}.txt', '${index + 1}.txt'],
    ['{}', '${item}'],
    ['no placeholder', 'no placeholder'],
  ])('in %s becomes an expression of the engine', (word, expected) => {
    expect(template(word)).toBe(expected);
  });

  it.each([
    ['{{id}}', '{id}'],
    ['{{.Names}}', '{{.Names}}'],
    ['{print 1}', '{print 1}'],
    ['{"a": 1}', '{"a": 1}'],
    ['${HOME}', '${"$"}{HOME}'],
    ['$${id', '${"$"}${"$"}{id'],
  ])('is not what %s is', (word, expected) => {
    expect(template(word)).toBe(expected);
  });

  it('keeps a dollar sign in front of it a dollar sign', () => {
    expect(template('${id}')).toBe('${"$"}${item["id"]}');
  });

  it('that names no column is refused, with the columns there are', () => {
    expect(() => template('{emial}')).toThrow('there is no column "emial"; the columns are "id"');
  });

  it('of rows that are JSON goes down into objects, and the only column of a CSV is its row', () => {
    expect(template('{user.id}', { names: null })).toBe('${item["user"]["id"]}');
    expect(template('{}', { names: ['url'] })).toBe('${item["url"]}');
  });

  it('is shown as it will be', () => {
    const row = { id: '7', 'first name': 'Ann', 'a.b': '' };
    const shown = (word: string) => renderedWord(segmentsOf(word, columns), row, 4, columns);
    expect(shown('{#}: {first name} {id}{a.b}')).toBe('5: Ann 7');
    expect(shown('{}')).toBe(JSON.stringify(row));
  });
});
