import type { Ctx } from '../context.ts'
import { UUID } from '../http/authorize.ts'
import type { Declared } from '../http/endpoint.ts'
import { record } from './record.ts'
import { safeFields } from './safe-fields.ts'

/**
 * Changes by people and tokens are recorded here; sign-ins and links are recorded where they are
 * verified.
 */
export const isRecorded = (spec: Declared, ctx: Ctx): boolean =>
  spec.method !== 'GET' &&
  spec.access.who !== 'anyone' &&
  ctx.actor.kind === 'user' &&
  spec.recorded !== false

/** Records a successful request: its endpoint, target and safe input fields. */
export async function recordRequest(
  ctx: Ctx,
  spec: Declared,
  given: {
    readonly params: Readonly<Record<string, string>>
    readonly query: unknown
    readonly body: unknown
    readonly reply: unknown
    /** The resources named in the path, as they were before the request. */
    readonly loaded: object
    /** Whether the response contains a link that could not be mailed. */
    readonly linkShown: boolean
    readonly requestId: string
  },
): Promise<void> {
  const { params, body, query, requestId } = given
  const reply = Object(given.reply) as Readonly<Record<string, unknown>>
  const made = idOf(reply.id)
  const serverId =
    serverOf(spec, given.loaded) ?? idOf(reply.serverId) ?? (makesServer(spec) ? made : null)
  const { id: _target, ...others } = params
  const target = [...Object.values(given.loaded), body, reply]
    .map(nameOf)
    .find((name) => name !== undefined)
  const detail = {
    ...(target !== undefined && { target }),
    ...(given.linkShown && { linkShown: true }),
    ...(Object.keys(others).length > 0 && { path: others }),
    ...(query !== undefined &&
      Object.keys(Object(query)).length > 0 && { query: safeFields(query) }),
    ...(body !== undefined && {
      body: safeFields({ ...Object(body), ...pathsIn(spec, reply) }, leftOut(spec)),
    }),
    ...beforeOf(spec, given.loaded, body),
  }
  await record(ctx, {
    action: `${spec.method} ${spec.path}`,
    targetId: idOf(params.id) ?? made ?? serverId,
    serverId,
    requestId,
    detail,
  })
}

/**
 * What the fields of a change were before it, as far as the thing has fields of these names. Those
 * that it sets to what they were are included, so that the reader sees what did not change.
 */
function beforeOf({ method, access }: Declared, loaded: object, body: unknown) {
  if (method !== 'PATCH' && method !== 'PUT') return undefined
  const name = 'on' in access ? access.on?.name : undefined
  const things: Readonly<Record<string, unknown>> = { ...loaded }
  const thing = name === undefined ? undefined : Object(things[name])
  if (thing === undefined) return undefined
  const before = Object.entries(Object(body)).flatMap(([field]) =>
    Object.hasOwn(thing, field) ? [[field, thing[field]] as const] : [],
  )
  return before.length > 0 ? { before: safeFields(Object.fromEntries(before)) } : undefined
}

function serverOf({ access }: Declared, loaded: object): string | undefined {
  const resource = 'on' in access ? access.on : undefined
  const things: Readonly<Record<string, unknown>> = { ...loaded }
  return resource?.serverIdOf?.(things[resource.name])
}

const leftOut = ({ recorded }: Declared): readonly string[] =>
  (typeof recorded === 'object' && recorded.leavesOut) || []

function pathsIn({ recorded }: Declared, reply: Readonly<Record<string, unknown>>) {
  if (typeof recorded !== 'object' || recorded.repliesPaths !== true) return {}
  const items: readonly { readonly path?: unknown }[] = Array.isArray(reply.items)
    ? reply.items
    : []
  return { paths: items.map(({ path }) => path) }
}

const makesServer = ({ recorded }: Declared): boolean =>
  typeof recorded === 'object' && recorded.makesServer === true

/**
 * The target's display name, stored with the entry because the target may be renamed or deleted
 * later.
 */
function nameOf(thing: unknown): string | undefined {
  const { name, email } = Object(thing) as { name?: unknown; email?: unknown }
  const found = [name, email].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found.slice(0, 200).toWellFormed() : undefined
}

const idOf = (value: unknown): string | null =>
  typeof value === 'string' && UUID.test(value) ? value : null
