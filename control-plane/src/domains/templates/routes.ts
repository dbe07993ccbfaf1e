import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { EXPORT_FORMATS } from '@lodge/shared/templates/export-template.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { del, get, post, put } from '../../http/endpoint.ts'
import { template } from './access.ts'
import { exportDocument, ImportTemplate, importDocument } from './documents.ts'
import { FetchDocument, fetchDocument } from './fetch-document.ts'
import { sendIcon } from './picture.ts'
import * as templates from './templates.ts'
import { Template } from './view.ts'

export const listTemplates = get('/api/templates', {
  summary: 'List templates; customers see those released to them',
  access: { who: 'user', token: 'read' },
  query: z.object(pageQuery),
  reply: pageOf(Template),
  handle: ({ ctx, query }) => templates.pageOfTemplates(ctx, query),
})

export const createTemplate = post('/api/templates', {
  summary: 'Create a template',
  access: { who: 'admin', may: 'templates.manage' },
  body: TemplateDocument,
  reply: Template,
  status: 201,
  recorded: 'created the template {target}',
  handle: async ({ ctx, body }) =>
    templates.showTemplate(ctx, await templates.createTemplate(ctx, body)),
})

export const importTemplate = post('/api/templates/import', {
  summary: 'Import a template document, of this panel or of another',
  access: { who: 'admin', may: 'templates.manage' },
  body: ImportTemplate,
  reply: z.object({
    template: Template,
    warnings: z.array(z.object({ path: z.string(), detail: z.string() })),
  }),
  status: 201,
  recorded: 'imported the template {target}',
  handle: async ({ ctx, body }) => {
    const { row, warnings } = await importDocument(ctx, body)
    return { template: await templates.showTemplate(ctx, row), warnings: [...warnings] }
  },
})

export const fetchTemplateDocument = post('/api/templates/fetch', {
  summary: 'Fetch a template document from its address, to look at and import',
  access: { who: 'admin', may: 'templates.manage' },
  body: FetchDocument,
  reply: z.object({ document: z.string() }),
  waits: true,
  recorded: false,
  handle: async ({ ctx, body }) => ({ document: await fetchDocument(body.address, ctx.egress) }),
})

export const showTemplate = get('/api/templates/{id}', {
  summary: 'One template with its document',
  access: { who: 'admin', may: 'templates.view', on: template },
  reply: Template.extend({ document: TemplateDocument, warnings: z.array(z.string()) }),
  handle: async ({ ctx, template }) => ({
    ...(await templates.showTemplate(ctx, template)),
    document: template.document,
    warnings: template.warnings,
  }),
})

export const editTemplate = put('/api/templates/{id}', {
  summary: 'Edit a template; a runtime change creates a new version',
  access: { who: 'admin', may: 'templates.manage', on: template },
  query: z.object({ baseVersion: z.coerce.number().int().min(1).optional() }),
  body: TemplateDocument,
  reply: Template,
  recorded: 'changed the template {target}',
  handle: async ({ ctx, template, body, query }) =>
    templates.showTemplate(ctx, await templates.editTemplate(ctx, template.id, body, query)),
})

export const removeTemplate = del('/api/templates/{id}', {
  summary: 'Delete an unused custom template',
  access: { who: 'admin', may: 'templates.manage', on: template, stepUp: true },
  recorded: 'deleted the template {target}',
  handle: ({ ctx, template }) => templates.removeTemplate(ctx, template.id),
})

export const exportTemplate = get('/api/templates/{id}/export', {
  summary: 'Export a template as JSON',
  access: { who: 'admin', may: 'templates.view', on: template },
  query: z.object({ format: z.enum(EXPORT_FORMATS).default('lodge') }),
  reply: z.record(z.string(), z.unknown()),
  handle: async ({ ctx, template, query, http }) => {
    const { name, value } = exportDocument(template, query.format, ctx.now)
    http.reply.header('content-disposition', `attachment; filename="${name}"`)
    return value
  },
})

export const templateIcon = get('/api/templates/{id}/icon/{digest}', {
  summary:
    "The picture of a template that has one of its own, at the address of the template's icon",
  access: { who: 'user' },
  streams: 'image/png',
  handle: ({ ctx, params, http }) => sendIcon(ctx, params, http.reply),
})

export const releaseTemplate = put('/api/templates/{id}/store', {
  summary: 'Release a template to customers, and show it before the others',
  access: { who: 'admin', may: 'templates.manage', on: template },
  body: z.strictObject({
    customerVisible: z.boolean(),
    featured: z.boolean().optional(),
    customerDescription: z.string().trim().max(4000).nullable().optional(),
  }),
  reply: Template,
  recorded: 'changed who may use the template {target}',
  handle: async ({ ctx, template, body }) =>
    templates.showTemplate(ctx, await templates.releaseTemplate(ctx, template, body)),
})
