export { originsOf } from './origins.ts'
export { SecuritySettings, securitySettings } from './security.ts'
export { selfServiceSettings } from './self-service.ts'
export { type Area, listStored, readSettings, settingsOf, writeSettings } from './store.ts'
