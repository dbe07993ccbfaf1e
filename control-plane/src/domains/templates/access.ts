import { holds } from '../../context.ts'
import type { Resource } from '../../http/access.ts'
import { findTemplate } from './store.ts'
import type { TemplateRow } from './tables.ts'

export const template: Resource<'template', TemplateRow, never> = {
  name: 'template',
  loads: (ctx, id) => findTemplate(ctx.db, id),
  permits: (actor) => holds(actor, 'templates.view'),
}
