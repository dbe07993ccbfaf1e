export { panelSettings } from './panel.ts'
export { SecuritySettings, securitySettings } from './security.ts'
export { selfServiceSettings } from './self-service.ts'
export {
  forgetSettings,
  lockSettings,
  readSettings,
  settingsOf,
  writeSettings,
} from './store.ts'
