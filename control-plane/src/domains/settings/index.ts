export { originsOf } from './origins.ts'
export { panelSettings } from './panel.ts'
export { SecuritySettings, securitySettings } from './security.ts'
export { selfServiceSettings } from './self-service.ts'
export {
  type Area,
  forgetSettings,
  listStored,
  readSettings,
  settingsOf,
  writeSettings,
} from './store.ts'
