import {
  CHANNEL_PARTS,
  type ChannelKind,
  channelAddress,
} from '@lodge/shared/notification-channels.ts'
import { invalid } from '../../../http/input.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { KINDS } from './kinds/all.ts'
import type { Target } from './kinds/kind.ts'
import type { ChannelRow } from './store.ts'

const place = (id: string, column: string) => ({ table: 'notification_channels', id, column })

export const sealTarget = (vault: Vault, id: string, target: Target): Buffer =>
  vault.seal(JSON.stringify(target), place(id, 'target'))

export const openTarget = (vault: Vault, row: Pick<ChannelRow, 'id' | 'target'>): Target =>
  JSON.parse(vault.open(row.target, place(row.id, 'target')))

export const sealSecret = (vault: Vault, id: string, secret: string): Buffer =>
  vault.seal(secret, place(id, 'secret'))

/** Valid secrets of a webhook, the newest first. */
export function openSecrets(
  vault: Vault,
  { id, secret, formerSecret, formerSecretUntil }: ChannelRow,
  now: Date,
): string[] {
  const former = formerSecretUntil && formerSecretUntil > now ? formerSecret : null
  return [secret, former].flatMap((sealed) =>
    sealed ? [vault.open(sealed, place(id, 'secret'))] : [],
  )
}

/** @throws {Problem} unless the target has exactly the parts of its kind, in the form of its kind */
export function requireTarget(kind: ChannelKind, target: Target, panelUrl: string): Target {
  const { needs, takes = [] } = CHANNEL_PARTS[kind]
  const parts = ['url', 'to', 'token', 'keys'] as const
  const errors = parts.flatMap((part) => {
    const isGiven = target[part] !== undefined
    if (needs.includes(part) && !isGiven) return [{ pointer: `/${part}`, detail: 'is required' }]
    if (isGiven && ![...needs, ...takes].includes(part))
      return [{ pointer: `/${part}`, detail: `is not a part of a channel of the kind ${kind}` }]
    return []
  })
  if (errors.length > 0) throw invalid(errors)
  if (kind === 'email') {
    const address = channelAddress.safeParse(target.to)
    if (!address.success) throw invalid([{ pointer: '/to', detail: 'is not an e-mail address' }])
    return { to: address.data }
  }
  const complaint = KINDS[kind].complain(target)
  if (complaint) throw invalid([{ pointer: `/${complaint[0]}`, detail: complaint[1] }])
  if (target.url && new URL(target.url).host === new URL(panelUrl).host)
    throw invalid([{ pointer: '/url', detail: 'must not be the address of this panel' }])
  return target
}

/** The address as its owner may see it again. */
export function shownUrl(kind: ChannelKind, { url }: Target): string | null {
  if (url === undefined || kind === 'email') return null
  return KINDS[kind].shown?.(new URL(url)) ?? url
}
