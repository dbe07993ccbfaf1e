export { callPlugin, FENCE_SECONDS, PluginCallFailed, providersOf } from './call.ts'
export { pluginInUse } from './in-use.ts'
export { scannersOf, scanWith } from './scan.ts'
export { formatWith, stylesOf } from './style.ts'
