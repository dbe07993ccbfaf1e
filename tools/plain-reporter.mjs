const slowestShown = 20
/** A run of fewer files is a partial run, whose slowest tests are of no interest. */
const wholeRunFiles = 100

/**
 * A vitest reporter that ends with the line "N passed, N failed, N skipped", preceded by the
 * slowest tests after a full run.
 */
export default class PlainReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = modules.map(countOf)
    const total = (key) => counts.reduce((sum, count) => sum + count[key], 0)
    const times = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        ms: test.diagnostic()?.duration ?? 0,
        name: `${module.relativeModuleId} > ${test.fullName}`,
      })),
    )
    if (modules.length >= wholeRunFiles) process.stdout.write(`\n${slowest(times)}\n`)
    const failed = total('failed') + unhandledErrors.length
    const line = `${total('passed')} passed, ${failed} failed, ${total('skipped')} skipped`
    process.stdout.write(`\n${line}\n`)
  }
}

/** How many tests of a file passed, failed and were skipped. */
export function countOf(module) {
  const count = { passed: 0, failed: 0, skipped: 0 }
  const tests = [...module.children.allTests()]
  for (const test of tests) if (!isLeftToLong(test)) count[outcome(test.result().state)]++
  // A file that failed before or outside its tests counts as one failure.
  const blamed = tests.some((test) => test.result().state === 'failed')
  if (module.state() === 'failed' && !blamed) count.failed++
  return count
}

/** The slowest tests, one per line, with their duration in seconds. */
function slowest(times) {
  const lines = times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowestShown)
    .map(({ ms, name }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
  return ['The slowest tests:', ...lines].join('\n')
}

/** Skipped by choice (test/run/lengths.ts), unlike one whose engine is missing; listed by another reporter. */
function isLeftToLong(test) {
  return test.result().state === 'skipped' && Boolean(test.tags?.includes('long'))
}

/** A test that never ran, because its file or the run ended early, has not passed. */
function outcome(state) {
  if (state === 'passed' || state === 'skipped') return state
  return 'failed'
}
