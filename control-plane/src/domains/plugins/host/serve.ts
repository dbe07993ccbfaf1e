import { call, hostAndPort } from '@lodge/shared/egress/egress.ts'
import { hostsOf } from '@lodge/shared/plugins/manifest.ts'
import { HOST_CALLS, type HostCall } from '@lodge/shared/plugins/protocol.ts'
import type { z } from 'zod'
import { type Ctx, contextFor } from '../../../context.ts'
import { lockScope } from '../../../db/advisory-locks.ts'
import type { Services } from '../../../services.ts'
import * as storage from '../storage-store.ts'
import { readShown } from './shown-files.ts'
import { apiFor } from './use-api.ts'

export const STORAGE_MIB = 10
const MAX_ANSWER_BYTES = 1024 * 1024
/** Set by us: a plugin could use them to address another host. */
const FORBIDDEN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|proxy-.*)$/i

type Given<Call extends HostCall> = z.output<(typeof HOST_CALLS)[Call]>

/**
 * Serves a plugin's calls to its host, as far as its permissions allow.
 * @throws if it lacks a permission, or the call fails; the plugin gets the message
 */
export async function serve(
  services: Services,
  plugin: { readonly id: string; readonly permissions: readonly string[] },
  name: string,
  given: unknown,
): Promise<unknown> {
  if (!Object.hasOwn(HOST_CALLS, name)) throw new Error(`The host knows no ${name.slice(0, 40)}`)
  const parsed = HOST_CALLS[name as HostCall].safeParse(given)
  if (!parsed.success) throw new Error(`${name} was called with what it does not take`)
  if (name === 'fetch') return fetchFor(services, plugin.permissions, parsed.data as Given<'fetch'>)
  if (name === 'api') return apiFor(services, plugin, parsed.data as Given<'api'>)
  if (name === 'file.read') return readShown(services, plugin.id, parsed.data as Given<'file.read'>)
  if (!plugin.permissions.includes('storage')) throw new Error('It lacks the permission storage')
  const { key, value } = parsed.data as Partial<Given<'storage.set'>>
  return useStorage(services, plugin.id, name, { key: key ?? '', value: value ?? '' })
}

async function fetchFor(
  { egress, fence }: Services,
  permissions: readonly string[],
  { url, method, headers, body }: Given<'fetch'>,
) {
  const asked = new URL(url)
  const { host } = asked
  const isFenced = permissions.includes('nodes.fence') && fence.hosts.includes(hostAndPort(asked))
  if (!isFenced && !hostsOf(permissions).includes(host))
    throw new Error(`It lacks the permission network:${host}`)
  const wrong = Object.entries(headers).find(
    ([header, value]) => FORBIDDEN_HEADERS.test(header) || /[\r\n\0]/.test(value),
  )
  if (wrong) throw new Error(`The header ${wrong[0]} is not for plugins`)
  const reply = await call(url, {
    ...egress,
    ...(isFenced && { allowedHosts: [...egress.allowedHosts, host] }),
    ...{ method, headers, maxBytes: MAX_ANSWER_BYTES, timeoutMs: 20_000 },
    ...(body !== undefined && { body }),
  })
  const texts = Object.entries(reply.headers).flatMap(([header, value]) =>
    typeof value === 'string' ? [[header, value]] : [],
  )
  return { status: reply.status, headers: Object.fromEntries(texts), text: reply.text }
}

async function useStorage(
  services: Services,
  id: string,
  name: string,
  { key, value }: { readonly key: string; readonly value: string },
): Promise<string | null> {
  const { db } = services
  if (name === 'storage.get') return storage.readStored(db, id, key)
  if (name === 'storage.delete') await storage.deleteStored(db, id, key)
  else
    await contextFor(services, { kind: 'system' }).transaction((ctx) => store(ctx, id, key, value))
  return null
}

async function store(ctx: Ctx, id: string, key: string, value: string): Promise<void> {
  await lockScope(ctx.db, `plugin storage ${id}`)
  const beside = await storage.storedBytesBeside(ctx.db, id, key)
  if (beside + Buffer.byteLength(key) + Buffer.byteLength(value) > STORAGE_MIB * 1024 * 1024)
    throw new Error(`It keeps ${STORAGE_MIB} MiB already`)
  await storage.writeStored(ctx.db, id, key, value)
}
