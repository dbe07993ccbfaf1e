import type { StyledKind } from '@lodge/shared/notification-channels.ts'
import type { StyledBody, StyledNotification } from '@lodge/shared/plugins/notification-style.ts'
import { PluginFault } from '../../plugins/fault.ts'
import type { Services } from '../../services.ts'
import { callInstalled, PluginCallFailed, type Reach } from './call.ts'
import { findInstalled, listInstalled } from './store.ts'

/** A plugin that formats notifications. */
export interface PluginStyle {
  readonly pluginId: string
  readonly name: string
  /** The kinds of channels that it is for. */
  readonly channels: readonly StyledKind[]
}

/** The styles that channels may choose: those of plugins that are on. */
export async function stylesOf({ db }: Pick<Services, 'db'>): Promise<PluginStyle[]> {
  return (await listInstalled(db)).flatMap(({ plugin, version: { manifest } }) =>
    plugin.enabled && manifest.kinds.includes('notification-style')
      ? { pluginId: plugin.id, name: manifest.name, channels: manifest.channels ?? [] }
      : [],
  )
}

/**
 * Has a plugin format a notification; not within a transaction. A plugin that has become another kind
 * since it was chosen, perhaps with network access, gets nothing.
 * @throws {PluginCallFailed}
 */
export async function formatWith(
  reach: Reach,
  pluginId: string,
  notification: StyledNotification,
): Promise<StyledBody> {
  const installed = await findInstalled(reach.db, pluginId)
  const { kinds, channels } = installed?.version.manifest ?? {}
  if (
    !installed ||
    !kinds?.includes('notification-style') ||
    !channels?.includes(notification.channel)
  )
    throw new PluginCallFailed(
      pluginId,
      new PluginFault('not_running', `It is no style for ${notification.channel}`),
    )
  const { body } = await callInstalled(reach, installed, 'notification-style.format', notification)
  return body
}
