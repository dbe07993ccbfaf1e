import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import type { Records } from '../../events/records.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** Lodge turned a plugin off because it failed too often. */
    'plugin.failed': { id: string; name: string; why: string }
    /** The source of a plugin has a newer version. */
    'plugin.update_available': { id: string; name: string; version: string; newest: string }
    /** Somebody saved the settings of a plugin. */
    'plugin.configured': { name: string; settings: readonly string[] }
    /** Somebody uninstalled a plugin; another one may get its id later. */
    'plugin.uninstalled': { id: string; name: string }
  }
}

export const pluginNoticeTypes: NoticeTypes = {
  'plugin.failed': {
    title: 'A plugin failed and was turned off',
    severity: 'error',
    group: 'host',
    staff: 'plugins.view',
  },
  'plugin.update_available': {
    title: 'There is a newer version of a plugin',
    severity: 'info',
    group: 'host',
    staff: 'plugins.view',
  },
}

export const pluginNotices: Notices = {
  'plugin.failed': [
    {
      type: 'plugin.failed',
      to: () => ({ staff: 'plugins.view' }),
      notice: ({ id, name, why }, reader) => ({
        title: wordsFor(t, reader).failed({ plugin: name }),
        body: reasonIn(why, reader),
        link: panelPath('plugin', { id }),
        groupKey: `plugin.failed:${id}`,
      }),
    },
  ],
  'plugin.update_available': [
    {
      type: 'plugin.update_available',
      to: () => ({ staff: 'plugins.view' }),
      notice: ({ id, name, version, newest }, reader) => ({
        title: wordsFor(t, reader).updateAvailable({ plugin: name, newest }),
        body: wordsFor(t, reader).updateAvailableBody({ version }),
        link: panelPath('plugin', { id }),
        groupKey: `plugin.update_available:${id}`,
      }),
    },
  ],
}

export const pluginActions = {
  'plugin failed': 'turned off the plugin {target}, which failed too often',
  'plugin configured': 'saved the settings of the plugin {target}',
} as const

/** Settings are recorded by name only: their values may be secret. */
export const pluginRecords: Records = {
  'plugin.failed': ({ name, why }) => ({
    action: 'plugin failed',
    detail: { target: name, why },
  }),
  'plugin.configured': ({ name, settings }) => ({
    action: 'plugin configured',
    detail: { target: name, settings },
  }),
}
