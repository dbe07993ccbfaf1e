import { apiPermissionsOf } from '@lodge/shared/plugins/api.ts'
import type { HOST_CALLS } from '@lodge/shared/plugins/protocol.ts'
import type { z } from 'zod'
import { hasPermission, type User } from '../../../actor.ts'
import { take } from '../../../http/throttle.ts'
import { Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { asActor, findUser } from '../../customers/index.ts'
import { pluginBudgets } from '../budgets.ts'
import { findInstalled } from '../store.ts'

const MOST_BYTES = 1024 * 1024

interface Caller {
  readonly id: string
  readonly permissions: readonly string[]
}

/**
 * Calls the API for a plugin. Its rights are checked on each call: it must be on, the person who
 * accepted its permissions must still have them, and a version on trial has no more than the present
 * one.
 * @returns refusals, too, as the API words them
 * @throws if it has no permission for the API at all
 */
export async function apiFor(
  services: Services,
  plugin: Caller,
  { method, path, body, key }: z.output<(typeof HOST_CALLS)['api']>,
): Promise<{ status: number; body: unknown }> {
  const { call } = services.ownApi
  if (!call) throw new Error('The panel is starting')
  const actor = await actorOf(services, plugin)
  try {
    await take(services.db, pluginBudgets.pluginApi, plugin.id)
  } catch (error) {
    if (error instanceof Problem)
      return { status: error.status, body: { code: error.code, detail: error.message } }
    throw error
  }
  const { status, text } = await call(actor, {
    ...{ method, path, body },
    // Separate from the idempotency keys of the person in whose name it acts.
    key: key === undefined ? undefined : `plugin:${plugin.id}:${key}`,
  })
  if (Buffer.byteLength(text) > MOST_BYTES)
    throw new Error('The answer is larger than 1 MiB: ask for less at once')
  return { status, body: json(text) }
}

async function actorOf(services: Services, { id, permissions }: Caller): Promise<User> {
  if (apiPermissionsOf(permissions).length === 0)
    throw new Error('It lacks the permissions api:<permission>')
  const installed = await findInstalled(services.db, id)
  const by = installed?.plugin.acceptedBy ?? null
  const person = by === null ? undefined : await findUser(services.db, by)
  if (!installed?.plugin.enabled || person?.state !== 'active')
    throw new Error('Nobody lets it use the API any more: who accepted its permissions is gone')
  const user = asActor(person)
  const { name, permissions: accepted } = installed.version.manifest
  const held = apiPermissionsOf(permissions.filter((one) => accepted.includes(one)))
  return {
    ...user,
    superAdmin: false,
    permissions: new Set(held.filter((one) => hasPermission(user, one))),
    plugin: { id, name },
    scopes: new Set(),
  }
}

/** A response that is not JSON, such as CSV, is returned as a string. */
function json(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
