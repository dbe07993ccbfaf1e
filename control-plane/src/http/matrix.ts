import type { AnyAccess, Declared } from './endpoint.ts'

/** Kinds of caller that the access matrix tells apart. */
export const CALLERS = [
  'anonymous',
  'customer',
  'owner',
  'admin without permission',
  'admin with permission',
  'super admin',
  'token read',
  'token provision',
  'token suspend',
  'agent',
] as const
export type Caller = (typeof CALLERS)[number]

/** What a caller gets: `yes`, or the refusal. `404`: what they may not know of. */
export type Verdict = 'yes' | '401' | '403' | '404'

/** The verdict for a caller on a thing that somebody else owns (for `owner`: on an own one). */
export function verdict(access: AnyAccess, caller: Caller): Verdict {
  if (access.who === 'anyone') return 'yes'
  if (access.who === 'agent')
    return caller === 'agent'
      ? 'yes'
      : caller === 'anonymous'
        ? '401'
        : caller.startsWith('token')
          ? '403'
          : '401'
  if (caller === 'anonymous') return '401'
  if (caller === 'agent') return '403'
  if (caller.startsWith('token'))
    return 'token' in access && access.token === caller.slice('token '.length) ? 'yes' : '403'
  if (caller === 'super admin' || caller === 'admin with permission') return 'yes'
  const hosts = access.who === 'admin' || access.admin !== undefined
  if (hosts) return '403'
  if (!access.on) return 'yes'
  return caller === 'owner' ? 'yes' : '404'
}

/** The whole policy as text that a person reads and a diff shows. */
export function accessMatrix(routes: Readonly<Record<string, Declared>>): string {
  const rows = Object.values(routes)
    .map((spec) => [
      `${spec.method} ${spec.path}`,
      ...CALLERS.map((caller) => verdict(spec.access, caller)),
    ])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  const table = [['endpoint', ...CALLERS], ...rows]
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return `${table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
}
