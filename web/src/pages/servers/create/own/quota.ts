import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import type { Reply } from '../../../../api.ts'
import { t } from '../../words.ts'
import type { Part } from '../container/values.ts'

export type Options = Reply<'GET /api/me/servers/options'>

const KEYS: Readonly<Record<Part, readonly [total: LimitKey, each: LimitKey]>> = {
  memoryMb: ['maxMemoryMb', 'maxServerMemoryMb'],
  cpuPercent: ['maxCpuPercent', 'maxServerCpuPercent'],
  diskMb: ['maxDiskMb', 'maxServerDiskMb'],
}

type Limits = Pick<Options['limits'], 'enforced' | 'limits'>

const limitOf = ({ enforced, limits }: Limits, key: LimitKey) =>
  enforced ? limits.find((limit) => limit.key === key) : undefined

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

/** The maximum of a size for one more server; undefined when unlimited. */
export function mostOf(limits: Limits, part: Part): number | undefined {
  const [total, each] = KEYS[part]
  const bounds = [
    limitOf(limits, total)?.remaining ?? undefined,
    numberOf(limitOf(limits, each)?.value),
  ].filter((bound) => bound !== undefined)
  return bounds.length === 0 ? undefined : Math.min(...bounds)
}

/** The used amount and its limit; undefined without a limit or when the host hides it. */
export function useOf(
  limits: Limits,
  part: Part | 'servers',
): { used: number; of: number } | undefined {
  const limit = limitOf(limits, part === 'servers' ? 'maxServers' : KEYS[part][0])
  const of = numberOf(limit?.value)
  const used = limit?.used ?? undefined
  return of === undefined || used === undefined ? undefined : { used, of }
}

/** Whether a virtual machine can be created now. */
export const offersMachines = ({ machines }: Options): boolean =>
  machines.available && machines.profiles.length > 0 && machines.networks.length > 0

/** Whether a container server can be created now. */
export const offersContainers = ({ templates, locations }: Options): boolean =>
  templates.length > 0 && locations.length > 0

/** Why this customer cannot create a server now, in words; undefined when they can. */
export function whyNoServer(options: Options): string | undefined {
  const { limits } = options
  if (options.selfService === 'off') return t.hostCreates
  if (!options.granted) return t.noPlanCreates
  if (limitOf(limits, 'mayCreateServers')?.value === false) return t.limitsForbid
  const servers = limitOf(limits, 'maxServers')
  if (servers?.remaining === 0) return t.allCreated({ count: Number(servers.value) })
  if (offersMachines(options)) return undefined
  if (options.templates.length === 0) return t.noTemplatesOffered
  if (options.locations.length === 0) return t.noLocation
  return undefined
}
