import { connectionOf, type Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'

/** What is to be placed; each kind needs a driver of its own. */
export type Workload = 'container' | 'machine'

interface Condition {
  /** On a row of `nodes`, in SQL. */
  readonly holds: string
  /** Why a node takes nothing new while the condition does not hold. */
  readonly why: (name: string, driver: string | null) => string
  /** The condition may hold again without anybody doing something about it. */
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

/** The one rule that says which nodes take something new, whoever asks and whatever it is. */
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
      `${name} cannot run ${DRIVERS[workload].words} now${driver ? `: ${driver}` : ''}`,
  },
]

/** The rule as a condition on rows of `nodes`. */
export const takesNew = (workload: Workload): string =>
  rule(workload)
    .map(({ holds }) => holds)
    .join(' and ')

export interface Closed {
  readonly why: string
  /** Nothing has to be done about it but to wait. */
  readonly passes: boolean
}

/** Of these nodes the ones that take nothing new now, with the reason in words. */
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
