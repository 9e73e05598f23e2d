// ESM sources run as CommonJS under jest, Nest's ESM-only packages included, so no Node flag is needed.
const swc = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};
const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '^.+\\.(ts|js|mjs)$': ['@swc/jest', swc] },
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|load-esm|file-type|es-toolkit|js-yaml|@marcbachmann/cel-js|uuid|fast-check|pure-rand)/)',
  ],
  moduleNameMapper: {
    '^@app/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@app/([^/]+)/(.*?)(?:\\.js)?$': '<rootDir>/libs/$1/src/$2',
    // What examples import is what is published.
    '^@fanfold/sdk$': '<rootDir>/libs/sdk/src/index.ts',
    '^@fanfold/sdk/testing$': '<rootDir>/libs/sdk/src/testing/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
// Their servers start once for the whole run, however many of these projects it has, and only if it has any.
const servers = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
const engines = {
  globalSetup: '<rootDir>/test/support/global-setup-e2e.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown-e2e.mjs',
};
const project = (displayName, folders, suffix, more = {}) => ({
  ...shared,
  displayName,
  roots: folders.map((folder) => `<rootDir>/${folder}`),
  testRegex: `\\.(?:${suffix})\\.ts$`,
  ...more,
});

module.exports = {
  projects: [
    project('unit', ['apps', 'libs', 'test/support'], 'spec'),
    project('architecture', ['test/architecture'], 'spec'),
    project('integration', ['test/integration'], '(int-)?spec', servers),
    project('e2e', ['test/e2e'], 'e2e-spec', engines),
    project('faults', ['test/faults'], 'fault-spec', engines),
    // Minutes each, and so not part of `npm test`: `npm run test:faults` runs both.
    project('long-faults', ['test/faults'], 'long-fault-spec', engines),
  ],
  // What the project is built for is two cores; the end-to-end projects start many processes each and are run one by one.
  maxWorkers: 2,
  // A net for what never ends, wide enough for a machine several times slower; promises about time are in the tests.
  testTimeout: 180_000,
};
