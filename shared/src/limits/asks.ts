import type { Ask } from './check.ts'

/** Sizes of one server: MiB and per cent of a core. */
export interface Size {
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
}

/** Totals over a customer's servers. */
export interface ServerTotals extends Size {
  readonly servers: number
}

const PARTS = [
  ['memoryMb', 'maxMemoryMb', 'maxServerMemoryMb'],
  ['cpuPercent', 'maxCpuPercent', 'maxServerCpuPercent'],
  ['diskMb', 'maxDiskMb', 'maxServerDiskMb'],
] as const

/** Everything that creating one server requires. */
export function creationAsks(
  totals: ServerTotals,
  size: Size,
  at: { template?: string | undefined; location?: string | undefined },
): Ask[] {
  return [
    { capability: 'mayCreateServers' },
    ...(at.template === undefined
      ? []
      : [{ list: 'allowedTemplates', wanted: at.template } as const]),
    ...(at.location === undefined
      ? []
      : [{ list: 'allowedLocations', wanted: at.location } as const]),
    ...PARTS.map(([part, , each]) => ({ key: each, used: 0, requested: size[part] })),
    { key: 'maxServers', used: totals.servers, requested: 1 },
    ...PARTS.map(([part, total]) => ({ key: total, used: totals[part], requested: size[part] })),
  ]
}

/** What a resize requires: only the sizes that grow. */
export function resizeAsks(totals: Size, from: Size, to: Partial<Size>): Ask[] {
  return PARTS.flatMap(([part, total, each]) => {
    const requested = (to[part] ?? from[part]) - from[part]
    if (requested <= 0) return []
    return [
      { key: each, used: from[part], requested },
      { key: total, used: totals[part], requested },
    ]
  })
}

/** What moving a server requires: a location it is not in yet. */
export const movingAsks = (from: string, to: string): Ask[] =>
  from === to ? [] : [{ list: 'allowedLocations', wanted: to }]
