import { ConfigProblems } from './config-problems.js';
import { childEnvironment, loadConfig } from './load-config.js';

describe('loading the configuration in main', () => {
  afterEach(() => jest.restoreAllMocks());

  it('writes every problem to stderr and exits with 78', () => {
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('exited');
    });
    const written: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    expect(() => loadConfig('api', { PORT: 'x' })).toThrow('exited');
    expect(exit).toHaveBeenCalledWith(78);
    expect(written.join('')).toMatch(/3 problem.*DATABASE_URL is required.*PORT must be.*FANFOLD_API_KEY is required/s);
  });

  it('gives a child process this environment with changes', () => {
    process.env.GONE_IN_CHILD = '1';
    const environment = childEnvironment({ PORT: '0', GONE_IN_CHILD: undefined });
    expect(environment).toMatchObject({ PORT: '0', PATH: process.env.PATH });
    expect('GONE_IN_CHILD' in environment).toBe(false);
    expect(new ConfigProblems([{ variable: 'A', message: 'b' }]).message).toBe('A: b');
  });
});
