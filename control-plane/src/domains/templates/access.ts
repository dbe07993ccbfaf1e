import { hasPermission, type User } from '../../actor.ts'
import type { Resource } from '../../http/access.ts'
import { findTemplate } from './store.ts'
import type { TemplateRow } from './tables.ts'

export const template: Resource<'template', TemplateRow, never> = {
  name: 'template',
  loads: (ctx, id) => findTemplate(ctx.db, id),
  permits: (actor) => maySeeAll(actor),
}

/** Whether somebody sees all templates; others see those released to customers. */
export const maySeeAll = (actor: User): boolean =>
  hasPermission(actor, 'templates.view') || hasPermission(actor, 'templates.manage')
