import { connectionOf, type Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'

/** Kind of workload; each needs its own driver. */
export type Workload = 'container' | 'machine'

interface Condition {
  /** SQL condition on rows of `nodes`. */
  readonly holds: string
  /** Why a node takes nothing new while the condition does not hold. */
  readonly why: (name: string, driver: string | null) => string
  /** The condition may become true again without anybody's action. */
  readonly passes?: true
}

const DRIVERS: Readonly<Record<Workload, { words: string; works: string; why: string }>> = {
  container: {
    words: 'container servers',
    works: `nodes.drivers @? '$[*] ? (@.kind != "libvirt" && @.healthy == true)'`,
    why: `jsonb_path_query_first(nodes.drivers, '$[*] ? (@.kind != "libvirt")')->>'why'`,
  },
  machine: {
    words: 'virtual machines',
    works: `coalesce((nodes.virtualization->>'available')::boolean, false)`,
    why: `nodes.virtualization->>'why'`,
  },
}

/** The only rule that decides which nodes take new workloads, for every caller and kind. */
const rule = (workload: Workload): readonly Condition[] => [
  {
    holds: 'nodes.credential_hash is not null',
    why: (name) => `${name} has not joined yet`,
  },
  { holds: 'not nodes.cordoned', why: (name) => `${name} takes no new servers` },
  { holds: ONLINE, why: (name) => `${name} is not connected`, passes: true },
  {
    holds: DRIVERS[workload].works,
    why: (name, driver) =>
      driver
        ? `${name} cannot run ${DRIVERS[workload].words} now: ${driver}`
        : `${name} cannot run ${DRIVERS[workload].words} now`,
  },
]

/** The rule as an SQL condition on rows of `nodes`. */
export const takesNew = (workload: Workload): string =>
  rule(workload)
    .map(({ holds }) => holds)
    .join(' and ')

export interface Closed {
  readonly why: string
  /** Whether waiting may be enough. */
  readonly passes: boolean
}

/** The nodes among these that currently take nothing new, with the reason. */
export async function closedNodes(
  db: Db,
  workload: Workload,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, Closed>> {
  const conditions = rule(workload)
  const { rows } = await connectionOf(db).query<{
    id: string
    name: string
    driver: string | null
    holds: boolean[]
  }>({
    text: `select id, name, ${DRIVERS[workload].why} as driver,
        array[${conditions.map(({ holds }) => holds).join(', ')}] as holds
      from nodes where id = any($1::uuid[])`,
    values: [nodeIds],
  })
  return new Map(
    rows.flatMap(({ id, name, driver, holds }) => {
      const broken = conditions[holds.indexOf(false)]
      if (!broken) return []
      return [[id, { why: broken.why(name, driver), passes: broken.passes === true }]]
    }),
  )
}
