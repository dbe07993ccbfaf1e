import type { PluginKind } from '@lodge/shared/plugins/manifest.ts'
import { METHODS } from '@lodge/shared/plugins/methods.ts'
import type { ProblemCode } from '@lodge/shared/problems.ts'
import type { z } from 'zod'
import { PluginFault, type PluginFaultReason } from '../../plugins/fault.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { wantedOf } from './host/wanted.ts'
import { findInstalled, type Installed, listInstalled } from './store.ts'

type AllMethods = typeof METHODS
export type PluginMethod = keyof AllMethods

export const CALL_SECONDS = 10
export const PAYMENT_SECONDS = 30
/** A scanner may call another service about the file. */
export const SCAN_SECONDS = 60
/** A notification waits for the style. */
export const STYLE_SECONDS = 2
/** The longest that a node's power controller may take to answer. */
export const FENCE_SECONDS = 30
/** Timeouts by the kind of plugin that has the method. */
const SECONDS: Readonly<Record<string, number>> = {
  ...{ payment: PAYMENT_SECONDS, scanner: SCAN_SECONDS },
  'notification-style': STYLE_SECONDS,
  fence: FENCE_SECONDS,
}

/** The services that calling plugins needs. */
export type Reach = Pick<Services, 'db' | 'vault' | 'places' | 'plugins'>

const CODES: Partial<Record<PluginFaultReason, ProblemCode>> = {
  not_running: 'plugin_not_running',
  timeout: 'plugin_timeout',
}

/**
 * A plugin did not do what it was called for. Retrying may help, except for `refused` and
 * `unsupported`.
 */
export class PluginCallFailed extends Problem {
  readonly reason: PluginFaultReason
  /** The code that a refusing plugin returned, such as `bad_signature`. */
  readonly pluginCode: string | null
  /** The plugin's message, without its name in front. */
  readonly said: string

  constructor(name: string, { reason, code, message }: PluginFault) {
    super(CODES[reason] ?? 'plugin_failed', `${name}: ${message}`.slice(0, 1000), {
      fields: { reason },
    })
    this.reason = reason
    this.pluginCode = code
    this.said = message.slice(0, 1000)
  }
}

/**
 * Calls a method of a plugin, and starts the plugin if it is not running. Not within a transaction:
 * it may take up to a minute.
 * @param id of the plugin
 * @throws {PluginCallFailed} if it does not answer properly
 */
export async function callPlugin<M extends PluginMethod>(
  reach: Reach,
  id: string,
  method: M,
  given: z.input<AllMethods[M]['request']>,
): Promise<z.output<AllMethods[M]['reply']>> {
  const installed = await findInstalled(reach.db, id)
  if (!installed)
    throw new PluginCallFailed(id, new PluginFault('not_running', 'It is not installed'))
  return callInstalled(reach, installed, method, given)
}

/** The same for a plugin that is loaded already. @throws {PluginCallFailed} */
export async function callInstalled<M extends PluginMethod>(
  reach: Reach,
  installed: Installed,
  method: M,
  given: z.input<AllMethods[M]['request']>,
): Promise<z.output<AllMethods[M]['reply']>> {
  const { request, reply } = METHODS[method]
  const seconds = SECONDS[method.split('.')[0] ?? ''] ?? CALL_SECONDS
  try {
    const wanted = await wantedOf(reach, installed)
    const result = await reach.plugins.call(wanted, method, request.parse(given), seconds * 1000)
    const parsed = reply.safeParse(result)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const why = `Its answer to ${method} is not valid: ${issue?.path.join('.')} ${issue?.message}`
      throw new PluginFault('invalid_reply', why)
    }
    return parsed.data as z.output<AllMethods[M]['reply']>
  } catch (error) {
    if (error instanceof PluginFault)
      throw new PluginCallFailed(installed.version.manifest.name, error)
    throw error
  }
}

/** The plugins of a kind that are turned on. */
export async function providersOf(
  { db }: Pick<Services, 'db'>,
  kind: PluginKind,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const all = await listInstalled(db)
  return all
    .filter(({ plugin, version }) => plugin.enabled && version.manifest.kinds.includes(kind))
    .map(({ plugin, version }) => ({ id: plugin.id, name: version.manifest.name }))
}
