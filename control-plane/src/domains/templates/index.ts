export { template } from './access.ts'
export { findTemplate, findTemplateVersion } from './store.ts'
export type { TemplateRow } from './tables.ts'
export { visibleTemplates } from './visible.ts'
