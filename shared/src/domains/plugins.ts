import { declare } from './declare.ts'

/** Plugins: packages of others that run beside Lodge. */
export const plugins = declare({
  permissions: {
    'plugins.view': 'See installed plugins, their health and logs',
    'plugins.manage': 'Install, update, configure and remove plugins',
  },
  presets: {
    operator: ['plugins.view', 'plugins.manage'],
  },
  problems: {
    plugin_failed: { status: 502, title: 'A plugin failed' },
    plugin_in_use: { status: 409, title: 'The plugin is needed' },
    plugin_not_running: { status: 503, title: 'The plugin does not run' },
    plugin_not_valid: { status: 422, title: 'The package is not a plugin for this panel' },
    plugin_registry_failed: { status: 502, title: 'The plugin registry does not answer properly' },
    plugin_timeout: { status: 504, title: 'A plugin did not answer in time' },
    plugin_untrusted: { status: 409, title: 'Nobody vouches for the package' },
  },
})
