import type { TestModule } from 'vitest/node'

/** How many tests of a file passed, failed and were skipped. */
export function countOf(module: TestModule): { passed: number; failed: number; skipped: number }
