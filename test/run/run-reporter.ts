import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { exceeded } from './budgets.ts'
import { busyPercent, type CoreTimes, coreTimes } from './cores.ts'
import { LONG_TAG } from './lengths.ts'
import { writeResult } from './result.ts'
import { coverage, isTest } from './threats.ts'

/** Tests that may be skipped because the machine has something, rather than lacks it. */
const MAY_BE_SKIPPED = ['npm start > without Docker it reports that, and the panel works']

/** Runs of fewer files are partial, and not reported on. */
const WHOLE_RUN_FILES = 100
const MOST_CPU_SHOWN = 20

/** From the start of the first file of a part to the end of the last one. */
interface Part {
  readonly from: Moment
  to: Moment
}

interface Moment {
  readonly atMs: number
  readonly cores: CoreTimes
}

const moment = (): Moment => ({ atMs: performance.now(), cores: coreTimes() })

/**
 * A vitest reporter that prints in one line which time budgets were exceeded, and fails the run
 * when a test against a threat did not pass. With `CI` set it also fails the run for skipped tests:
 * a missing engine must not look like a success.
 */
export default class RunReporter implements Reporter {
  readonly #parts = new Map<string, Part>()
  #isSelection = false

  onInit(vitest: Vitest): void {
    this.#isSelection = Boolean(vitest.config.testNamePattern)
  }

  onTestModuleStart(module: TestModule): void {
    const { name } = module.project
    const now = moment()
    if (!this.#parts.has(name)) this.#parts.set(name, { from: now, to: now })
  }

  onTestModuleEnd(module: TestModule): void {
    const part = this.#parts.get(module.project.name)
    if (part) part.to = moment()
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[] = []): void {
    const parts = new Map(
      [...this.#parts].map(([name, { from, to }]) => [name, (to.atMs - from.atMs) / 1000] as const),
    )
    const files = new Map(
      modules.map((module) => {
        const { collectDuration, duration } = module.diagnostic()
        return [module.relativeModuleId, (collectDuration + duration) / 1000] as const
      }),
    )
    const times = [...this.#parts].map(
      ([name, { from, to }]) =>
        `${name} ${Math.round((to.atMs - from.atMs) / 1000)} s (cores ${busyPercent(from.cores, to.cores)} % busy)`,
    )
    const over = exceeded({ parts, files })
    say(`Parts: ${times.join(', ')}`)
    if (modules.length >= WHOLE_RUN_FILES) say(`The most CPU:\n${mostCpu(modules).join('\n')}`)
    const left = modules.flatMap(leftToLong).length
    if (left > 0) say(`Left to npm run test:long: ${left} tests`)
    const unsteady = modules.flatMap(secondTry)
    if (unsteady.length > 0) say(`Passed only at the second try:\n${unsteady.join('\n')}`)
    if (over.length > 0) say(`Longer than their budget of test/budgets.json: ${over.join(', ')}`)
    if (this.#isSelection) return
    const open = openThreats(modules)
    if (open.length > 0) fail('Stands against a threat and did not pass', open.map(threatLine))
    const skippedIn = (some: readonly TestModule[]) => skippedTests(some).length
    const skipped = process.env.CI ? skippedTests(modules) : []
    if (skipped.length > 0) fail('Skipped, although CI has to have what they need', skipped)
    const isMissing = open.some(({ file }) => modules.some((one) => isPassed(one, file)))
    // The second run of a file decides about tests skipped by a failed hook.
    const failed = modules.filter((module) => module.state() === 'failed')
    const isLacking = skipped.length > skippedIn(failed)
    writeResult(modules, errors, isLacking || isMissing)
  }
}

/** The files with the most CPU, which does not depend on what else runs. */
const mostCpu = (modules: readonly TestModule[]): string[] =>
  modules
    .map((module) => {
      const { own, programs } = module.meta().cpuSeconds ?? { own: 0, programs: 0 }
      return { file: module.relativeModuleId, seconds: own + programs, programs }
    })
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, MOST_CPU_SHOWN)
    .map(({ file, seconds, programs }) => {
      const others = programs < 1 ? '' : ` (${programs.toFixed(1)} s of it in programs)`
      return `${seconds.toFixed(1).padStart(7)} s  ${file}${others}`
    })

type Coverage = (typeof coverage)[number]

/** Checks the files that ran: a listed name proves nothing unless the test has run. */
const openThreats = (modules: readonly TestModule[]): Coverage[] =>
  coverage.filter(({ file, name }) => {
    const module = modules.find(({ relativeModuleId }) => relativeModuleId === file)
    if (!module) return false
    const proofs = [...module.children.allTests('passed'), ...leftToLong(module)]
    return !proofs.some((test) => isTest(test.fullName, name))
  })

const threatLine = ({ id, file, name }: Coverage): string => `${id}: ${file} > ${name}`

const isPassed = (module: TestModule, file: string): boolean =>
  module.relativeModuleId === file && module.state() === 'passed'

/** Tests that only `npm run test:long` runs. */
const leftToLong = (module: TestModule): TestCase[] =>
  [...module.children.allTests('skipped')].filter(({ tags }) => tags.includes(LONG_TAG.name))

/** Tests that failed once: fix the test, or what it found. */
const secondTry = (module: TestModule): string[] =>
  [...module.children.allTests('passed')]
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => {
      const [first] = test.result().errors ?? []
      return `${module.relativeModuleId} > ${test.fullName}: ${first?.message.split('\n', 1)[0]}`
    })

const skippedTests = (modules: readonly TestModule[]): string[] =>
  modules.flatMap((module) =>
    [...module.children.allTests('skipped')]
      .filter((test) => !leftToLong(module).includes(test))
      .filter(({ fullName }) => !MAY_BE_SKIPPED.includes(fullName))
      .map(({ fullName }) => `${module.relativeModuleId} > ${fullName}`),
  )

function fail(title: string, lines: readonly string[]): void {
  say(`${title}:\n${lines.join('\n')}`)
  process.exitCode = 1
}

const say = (line: string) => void process.stdout.write(`\n${line}\n`)
