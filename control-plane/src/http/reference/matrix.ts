import { isOpenToSuspended, type Restriction } from '@lodge/shared/restriction.ts'
import { isOpenToViewers } from '../access.ts'
import type { Declared } from '../endpoint.ts'

/** Kinds of caller in the access matrix. */
export const CALLERS = [
  'anonymous',
  'customer',
  'owner',
  'collaborator',
  'collaborator without permission',
  'suspended owner',
  'suspended owner who exports',
  'suspended owner without sign-in',
  'pending owner',
  'admin without permission',
  'admin with permission',
  'super admin',
  'admin without second factor',
  'admin from elsewhere',
  'viewer',
  'token read',
  'token provision',
  'token suspend',
  'agent',
] as const
export type Caller = (typeof CALLERS)[number]

const suspendedOwner = { signIn: true, notice: true, tickets: true, dataExport: false }
/** What the suspended callers may still use; the first as the defaults of a suspension say. */
export const RESTRICTIONS: Readonly<Partial<Record<Caller, Restriction>>> = {
  'suspended owner': suspendedOwner,
  'suspended owner who exports': { ...suspendedOwner, dataExport: true },
  'suspended owner without sign-in': { ...suspendedOwner, signIn: false, dataExport: true },
}

/** `yes` or the refusal; `404` where the caller must not learn that it exists. */
export type Verdict = 'yes' | '401' | '403' | '404'

/**
 * The verdict for a caller on somebody else's resource; for `owner` on their own, for collaborators
 * on one shared with them, for `viewer` on one of the customer they view as.
 */
export function verdict(
  spec: Pick<Declared, 'method' | 'access' | 'shownOnce'>,
  caller: Caller,
): Verdict {
  const { access } = spec
  if (caller === 'viewer') return isOpenToViewers(spec) ? verdict(spec, 'owner') : '403'
  if (access.who === 'anyone') return 'yes'
  if (access.who === 'agent')
    return caller === 'agent'
      ? 'yes'
      : caller === 'anonymous'
        ? '401'
        : caller.startsWith('token')
          ? '403'
          : '401'
  if (caller === 'anonymous' || caller === 'pending owner') return '401'
  if (caller === 'agent') return '403'
  if (caller === 'admin from elsewhere') return '403'
  const restriction = RESTRICTIONS[caller]
  if (restriction)
    return access.who === 'user' && isOpenToSuspended(access.whileSuspended, restriction)
      ? 'yes'
      : '403'
  if (caller === 'admin without second factor')
    return 'settingUp' in access && access.settingUp ? 'yes' : '403'
  if (caller.startsWith('token'))
    return 'token' in access && access.token === caller.slice('token '.length) ? 'yes' : '403'
  const hosts = access.who === 'admin' || access.admin !== undefined
  const own = access.who === 'user' && access.own === true
  if (!own && (caller === 'super admin' || caller === 'admin with permission')) return 'yes'
  if (hosts) return '403'
  if (!own && !access.on) return 'yes'
  if (caller === 'owner') return 'yes'
  if (own || access.on?.shared !== true || !caller.startsWith('collaborator')) return '404'
  return access.may === undefined || caller === 'collaborator' ? 'yes' : '403'
}

/** The whole access policy as readable, diffable text. */
export function accessMatrix(routes: Readonly<Record<string, Declared>>): string {
  const rows = Object.values(routes)
    .map((spec) => [
      `${spec.method} ${spec.path}`,
      ...CALLERS.map((caller) => verdict(spec, caller)),
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
