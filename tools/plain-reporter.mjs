const slowestShown = 20
/** A run of fewer files is somebody's look at a part: they know what they wait for. */
const wholeRunFiles = 100

/**
 * A vitest reporter that ends with the line "N passed, N failed, N skipped"; after a whole run it names
 * the slowest tests before that.
 */
export default class PlainReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    const times = []
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        count[outcome(test.result().state)]++
        const ms = test.diagnostic()?.duration ?? 0
        times.push({ ms, name: `${module.relativeModuleId} > ${test.fullName}` })
      }
      // A file that broke before or outside its tests counts as one failure.
      const blamed = tests.some((test) => test.result().state === 'failed')
      if (module.state() === 'failed' && !blamed) count.failed++
    }
    if (modules.length >= wholeRunFiles) process.stdout.write(`\n${slowest(times)}\n`)
    const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`
    process.stdout.write(`\n${line}\n`)
  }
}

/** The slowest tests, a line each, with what they took in seconds. */
function slowest(times) {
  const lines = times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowestShown)
    .map(({ ms, name }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
  return ['The slowest tests:', ...lines].join('\n')
}

/** A test that never came to run, because its file or the run ended early, has not passed. */
function outcome(state) {
  if (state === 'passed' || state === 'skipped') return state
  return 'failed'
}
