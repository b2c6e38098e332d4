import { defineConfig } from 'vitest/config'

/** One runner for all packages. Workspace imports resolve to TypeScript sources, so unit tests need no build. */
export default defineConfig({
  resolve: { conditions: ['@agent-terminals/source', 'module', 'node'] },
  ssr: { resolve: { conditions: ['@agent-terminals/source', 'module', 'node'] } },
  test: {
    include: [
      'packages/*/*/tests/**/*.spec.ts',
      'bench/tests/**/*.spec.ts',
      'scripts/tests/**/*.spec.ts',
      'examples/*/tests/**/*.spec.ts',
      'testing/tests/**/*.spec.ts',
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // Read by scripts/coverage: every branch is either covered or explained in docs/coverage.md.
    coverage: {
      provider: 'v8',
      include: ['packages/terminal/*/src/**/*.ts', 'packages/host/subprocess/src/**/*.ts'],
      reporter: ['json'],
      reportsDirectory: 'coverage',
      reportOnFailure: true,
    },
  },
})
