import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { creationAsks, resizeAsks, type Size } from './asks.ts'
import { type Ask, decide, mayServeThemselves, type Violation, warningPercent } from './check.ts'
import { effective, type Layers, LIVE_STATUSES } from './effective.ts'
import type { CapabilityKey, LimitKey, LimitLayer, NumberKey } from './keys.ts'
import { DEFAULT_LIMIT_SETTINGS, type LimitSettings } from './settings.ts'

interface Given {
  defaults?: LimitLayer
  customer?: LimitLayer
  subs?: { plan: string; limits: LimitLayer; status: string }[]
  servers?: (Size & { fromPlan?: boolean })[]
  settings?: Partial<LimitSettings> & { admins?: 'always' }
}
interface Vector {
  n: number
  title: string
  check: string
  args: unknown[]
  expected: { result?: string; over?: string[]; warned?: string[]; forced?: boolean } | null
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('./testing/vectors.json', import.meta.url), 'utf8'),
)

const layersOf = (given: Given): Layers => ({
  defaults: given.defaults ?? {},
  customer: given.customer ?? {},
  plans: (given.subs ?? []).filter((sub) => LIVE_STATUSES.some((status) => status === sub.status)),
})
const settingsOf = ({
  admins,
  ...settings
}: NonNullable<Given['settings']> = {}): LimitSettings => ({
  ...DEFAULT_LIMIT_SETTINGS,
  selfService: 'everyone',
  administrators: admins ?? 'force_required',
  ...settings,
})

/** What the vectors call a violation: the sentence for a number, otherwise the key. */
const describeAll = (violations: readonly Violation[]) =>
  violations.map((one) => (one.code === 'limit_exceeded' ? one.message : one.key))

function outcome(given: Given, asks: readonly Ask[], actor: string, force: boolean): object {
  const settings = settingsOf(given.settings)
  if (
    actor === 'customer' &&
    asks.some((ask) => 'capability' in ask && ask.capability === 'mayCreateServers') &&
    !mayServeThemselves(settings, layersOf(given))
  ) {
    return { result: 'refuse', over: ['grant_required'] }
  }
  const decision = decide(settings, layersOf(given), asks, {
    actor: actor === 'customer' ? 'customer' : 'administrator',
    force,
  })
  if (!decision.allowed) return { result: 'refuse', over: describeAll(decision.violations) }
  return {
    result: 'allow',
    ...(decision.forced.length > 0 && { forced: true, over: describeAll(decision.forced) }),
    ...(decision.warned.length > 0 && { warned: describeAll(decision.warned) }),
  }
}

const totalsOf = (given: Given) => {
  const counted = (given.servers ?? []).filter(
    (server) => !server.fromPlan || given.settings?.countPlanServers,
  )
  const sum = (part: keyof Size) => counted.reduce((total, server) => total + server[part], 0)
  return {
    servers: counted.length,
    memoryMb: sum('memoryMb'),
    cpuPercent: sum('cpuPercent'),
    diskMb: sum('diskMb'),
  }
}

function run({ check, args }: Vector): unknown {
  if (check === 'effective') {
    const [key, given] = args as [LimitKey, Given]
    const layers = layersOf(given)
    return effective(
      key,
      given.settings?.allowOverrides === false ? { ...layers, customer: {} } : layers,
    )
  }
  if (check === 'create') {
    const [given, size, actor = 'customer', force = false] = args as [
      Given,
      Size & { template?: string; fromPlan?: boolean },
      string?,
      boolean?,
    ]
    if (size.fromPlan && !given.settings?.countPlanServers)
      return { result: 'allow', skipped: 'server plan' }
    return outcome(given, creationAsks(totalsOf(given), size, size), actor, force)
  }
  if (check === 'resize') {
    const [given, from, to] = args as [Given, Size, Partial<Size>]
    return outcome(given, resizeAsks(totalsOf(given), from, to), 'customer', false)
  }
  if (check === 'check') {
    const [given, items] = args as [
      Given,
      ({ key: NumberKey; used: number; requested: number } | { cap: CapabilityKey })[],
    ]
    return outcome(
      given,
      items.map((item) => ('cap' in item ? { capability: item.cap } : item)),
      'customer',
      false,
    )
  }
  const [value, used, percent] = args as [number | 'unlimited', number, number]
  const warning = warningPercent(value, used, percent)
  return warning === undefined ? null : { percent: warning }
}

describe('the table of limits', () => {
  test('is not empty', () => {
    expect(vectors.length).toBeGreaterThan(70)
  })
  test.each(vectors)('$n: $title', (vector) => {
    expect(run(vector)).toMatchObject(vector.expected ?? {})
    if (vector.expected === null) expect(run(vector)).toBeNull()
    const result = run(vector) as { over?: string[] } | null
    expect(result?.over).toEqual(vector.expected?.over)
  })
})
