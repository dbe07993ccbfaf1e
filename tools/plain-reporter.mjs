/** A vitest reporter whose only output is the closing line "N passed, N failed, N skipped". */
export default class PlainReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) count[outcome(test.result().state)]++
      // A file that broke before or outside its tests counts as one failure.
      const blamed = tests.some((test) => test.result().state === 'failed')
      if (module.state() === 'failed' && !blamed) count.failed++
    }
    const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`
    process.stdout.write(`\n${line}\n`)
  }
}

/** A test that never came to run, because its file or the run ended early, has not passed. */
function outcome(state) {
  if (state === 'passed' || state === 'skipped') return state
  return 'failed'
}
