import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { budgetOf } from './budgets.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Assumed seconds of a file without a budget. */
const SHORT_SECONDS = 8
/** Files that run a Docker engine or `npm start` in this machine's network take turns (`takeHostNetwork`). */
const TAKES_HOST_NETWORK = /\b(dockerFixture|takeHostNetwork)\(/

interface Planned {
  readonly spec: TestSpecification
  readonly group: number
  readonly seconds: number
  readonly takesHostNetwork: boolean
}

/**
 * The longest files first, so that none runs alone at the end, and those that take turns spread
 * out, so that no worker waits for its turn while it could run something else.
 */
export class ByBudget extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const planned = files.map(plan).sort((a, b) => a.group - b.group || b.seconds - a.seconds)
    const groups = Map.groupBy(planned, ({ group }) => group)
    return [...groups.values()].flatMap((group) => spread(group)).map(({ spec }) => spec)
  }
}

function plan(spec: TestSpecification): Planned {
  const { config } = spec.project
  const file = path.relative(root, spec.moduleId)
  return {
    spec,
    group: config.sequence.groupOrder,
    seconds: budgetOf(file) ?? SHORT_SECONDS,
    takesHostNetwork: TAKES_HOST_NETWORK.test(readFileSync(spec.moduleId, 'utf8')),
  }
}

/** The order in which the group's workers would take them, with the turns. */
function spread(group: readonly Planned[]): Planned[] {
  const left = [...group]
  const order: Planned[] = []
  const workers = Array.from({ length: group[0]?.spec.project.config.maxWorkers ?? 1 }, () => 0)
  let turnEnds = 0
  while (left.length > 0) {
    const now = Math.min(...workers)
    const waiting = left.filter(({ takesHostNetwork }) => takesHostNetwork)
    const others = left.filter(({ takesHostNetwork }) => !takesHostNetwork)
    const isTurnFree = turnEnds <= now
    // The turns are sequential, so they must not be postponed behind everything else.
    const next = (isTurnFree ? waiting[0] : others[0]) ?? left[0]
    if (!next) break
    left.splice(left.indexOf(next), 1)
    order.push(next)
    const begin = next.takesHostNetwork ? Math.max(now, turnEnds) : now
    workers[workers.indexOf(now)] = begin + next.seconds
    if (next.takesHostNetwork) turnEnds = begin + next.seconds
  }
  return order
}
