import {
  EditPlugin,
  InstallPlugin,
  Plugin,
  PluginDetail,
  PluginHealth,
  PluginHost,
  PluginInspection,
  PluginLogLevel,
  PluginLogLine,
  PluginOrigin,
  PluginStore,
  SavePluginSettings,
  UpdatePlugin,
} from '@lodge/shared/plugins/plugin.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { del, get, patch, post, put } from '../../http/endpoint.ts'
import * as changes from './change.ts'
import { askHealth, describeHost, describeStore } from './health.ts'
import { flushLogs } from './host/own.ts'
import { inspect } from './inspect.ts'
import { install } from './install.ts'
import { readLines } from './log-store.ts'
import { listInstalled } from './store.ts'
import * as updates from './update.ts'
import { describeInDetail, describePlugin } from './view.ts'

const view = { who: 'admin', may: 'plugins.view' } as const
const manage = { who: 'admin', may: 'plugins.manage' } as const
/** A package in base64, with the JSON around it. */
const MAX_BODY_BYTES = 29 * 1024 * 1024

const describe = async (ctx: Ctx, id: string): Promise<PluginDetail> =>
  describeInDetail(ctx, await changes.installedPlugin(ctx, id))

export const listPlugins = get('/api/plugins', {
  summary: 'Installed plugins',
  access: view,
  reply: z.object({ items: z.array(Plugin) }),
  handle: async ({ ctx }) => ({
    items: await Promise.all((await listInstalled(ctx.db)).map((one) => describePlugin(ctx, one))),
  }),
})

export const installPlugin = post('/api/plugins', {
  summary: 'Install a plugin whose permissions you accept',
  access: { ...manage, stepUp: true },
  body: InstallPlugin,
  maxBodyBytes: MAX_BODY_BYTES,
  reply: PluginDetail,
  status: 201,
  waits: true,
  recorded: 'installed the plugin {target}',
  handle: async ({ ctx, body }) => describe(ctx, await install(ctx, body)),
})

export const inspectPlugin = post('/api/plugins/inspect', {
  summary: 'Inspect a package without installing it',
  access: manage,
  body: PluginOrigin,
  maxBodyBytes: MAX_BODY_BYTES,
  reply: PluginInspection,
  waits: true,
  recorded: false,
  handle: ({ ctx, body }) => inspect(ctx, body),
})

export const showPluginStore = get('/api/plugins/store', {
  summary: 'Plugins that came with the panel, and those that the registry offers',
  access: view,
  reply: PluginStore,
  waits: true,
  handle: ({ ctx }) => describeStore(ctx),
})

export const showPluginHost = get('/api/plugins/host', {
  summary: 'How plugins are run here, and why not if they are not',
  access: { who: 'user', admin: 'plugins.view' },
  reply: PluginHost,
  handle: ({ ctx }) => describeHost(ctx),
})

export const showPlugin = get('/api/plugins/{plugin}', {
  summary: 'One plugin with its permissions and settings; secrets are left out',
  access: { who: 'user', admin: 'plugins.view' },
  reply: PluginDetail,
  handle: ({ ctx, params }) => describe(ctx, params.plugin),
})

export const editPlugin = patch('/api/plugins/{plugin}', {
  summary: 'Turn a plugin on or off',
  access: manage,
  body: EditPlugin,
  reply: PluginDetail,
  recorded: {
    words: 'changed the plugin {target}',
    byField: {
      name: 'enabled',
      words: { true: 'turned on the plugin {target}', false: 'turned off the plugin {target}' },
    },
  },
  handle: async ({ ctx, params, body }) => {
    await changes.turn(ctx, params.plugin, body.enabled)
    return describe(ctx, params.plugin)
  },
})

export const uninstallPlugin = del('/api/plugins/{plugin}', {
  summary: 'Uninstall a plugin with all that it keeps',
  access: { ...manage, stepUp: true },
  reply: z.object({ name: z.string() }),
  recorded: 'uninstalled the plugin {target}',
  handle: async ({ ctx, params }) => {
    const { version } = await changes.installedPlugin(ctx, params.plugin)
    await changes.uninstall(ctx, params.plugin)
    return { name: version.manifest.name }
  },
})

export const rollBackPlugin = post('/api/plugins/{plugin}/rollback', {
  summary: 'Return to the previous version with the settings that it had',
  access: manage,
  reply: PluginDetail,
  recorded: 'returned to the previous version of the plugin {target}',
  handle: async ({ ctx, params }) => {
    await updates.rollBack(ctx, params.plugin)
    return describe(ctx, params.plugin)
  },
})

export const savePluginSettings = put('/api/plugins/{plugin}/settings', {
  summary: 'Save settings of a plugin; what is left out stays, null removes a value',
  access: manage,
  body: SavePluginSettings,
  reply: PluginDetail,
  // The event records it, with the names of the settings only.
  recorded: false,
  handle: async ({ ctx, params, body }) => {
    await changes.saveSettings(ctx, params.plugin, body)
    return describe(ctx, params.plugin)
  },
})

export const updatePlugin = post('/api/plugins/{plugin}/update', {
  summary: 'Update a plugin; an update that wants more permissions waits until they are accepted',
  access: { ...manage, stepUp: true },
  body: UpdatePlugin,
  maxBodyBytes: MAX_BODY_BYTES,
  reply: PluginDetail,
  waits: true,
  recorded: 'updated the plugin {target}',
  handle: async ({ ctx, params, body }) => {
    await updates.update(ctx, params.plugin, body)
    return describe(ctx, params.plugin)
  },
})

export const checkPluginHealth = post('/api/plugins/{plugin}/health', {
  summary: 'Ask a plugin how it is',
  access: { who: 'user', admin: 'plugins.view' },
  reply: PluginHealth,
  waits: true,
  recorded: false,
  handle: async ({ ctx, params }) =>
    askHealth(ctx, await changes.installedPlugin(ctx, params.plugin)),
})

export const showPluginLogs = get('/api/plugins/{plugin}/logs', {
  summary: 'What a plugin wrote lately, oldest first; secrets are left out',
  access: { who: 'user', admin: 'plugins.view' },
  query: z.object({
    /** The id of a line: returns only later ones. */
    after: z.coerce.number().int().min(0).optional(),
    /** This level and those above it. */
    level: PluginLogLevel.default('debug'),
    limit: z.coerce.number().int().min(1).max(2000).default(500),
  }),
  reply: z.object({ items: z.array(PluginLogLine) }),
  handle: async ({ ctx, params, query }) => {
    const { plugin } = await changes.installedPlugin(ctx, params.plugin)
    await flushLogs(ctx)
    const { after, level, limit } = query
    const levels = PluginLogLevel.options.slice(PluginLogLevel.options.indexOf(level))
    const lines = await readLines(ctx.db, plugin.id, { after, levels, limit })
    return {
      items: lines.map(({ id, at, level, text }) => ({ id, at: at.toISOString(), level, text })),
    }
  },
})
