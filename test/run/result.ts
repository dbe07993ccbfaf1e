import { writeFileSync } from 'node:fs'
import type { SerializedError, TestModule } from 'vitest/node'
import { countOf } from '../../tools/plain-reporter.mjs'

/** What `tools/test.mjs` needs to know of a run to decide whether some files are run again. */
interface RunResult {
  passed: number
  /** Failed tests, and errors outside of tests. */
  failures: number
  skipped: number
  /** A failure that a second run of single files cannot disprove. */
  isFinal: boolean
  failed: { file: string; passed: number; errors: string[] }[]
}

/**
 * Writes a run's result to the file named by `LODGE_TEST_RESULT`, if any.
 * @param isFinal the run failed for more reasons than its tests
 */
export function writeResult(
  modules: readonly TestModule[],
  errors: readonly SerializedError[],
  isFinal: boolean,
): void {
  const file = process.env.LODGE_TEST_RESULT
  if (!file) return
  const counted = modules.map((module) => ({ module, count: countOf(module) }))
  const failed = counted.filter(({ count }) => count.failed > 0)
  const result: RunResult = {
    passed: total(counted.map(({ count }) => count.passed)),
    failures: total(counted.map(({ count }) => count.failed)) + errors.length,
    skipped: total(counted.map(({ count }) => count.skipped)),
    isFinal: isFinal || errors.some((error) => !isLostWorker(error)),
    failed: failed.map(({ module, count }) => ({
      file: module.relativeModuleId,
      passed: count.passed,
      errors: firstLines(module),
    })),
  }
  writeFileSync(file, JSON.stringify(result))
}

/** The system killed a test process; its files count as failed. */
const isLostWorker = ({ message }: SerializedError): boolean =>
  /Worker exited unexpectedly/.test(String(message))

const firstLines = (module: TestModule): string[] =>
  [...module.children.allTests('failed')].map((test) => {
    const [first] = test.result().errors ?? []
    return `${test.fullName}: ${first?.message.split('\n', 1)[0]}`
  })

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
