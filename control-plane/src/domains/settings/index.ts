export { SecuritySettings, securitySettings } from './security.ts'
export { selfServiceSettings } from './self-service.ts'
export { type Area, readSettings, settingsOf, writeSettings } from './store.ts'
