import { randomUUID } from 'node:crypto'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { notFound, Problem } from '../../problem.ts'
import { maySeeAll } from './access.ts'
import { sameDocument, sameRuntime } from './compare.ts'
import { serversOfTemplates } from './questions.ts'
import * as store from './store.ts'
import type { TemplateRow } from './tables.ts'
import { describeTemplate, type Template } from './view.ts'

const countServers = (
  { db, catalogue }: Ctx,
  ids: readonly string[],
  ownerId: string | null = null,
) => catalogue.answers.to(serversOfTemplates)(db, ids, ownerId)

/**
 * A page of templates: all of them for those who may see them, else those released to customers.
 */
export async function pageOfTemplates(
  ctx: Ctx<User>,
  query: { limit: number; after?: string | undefined },
): Promise<{ items: Template[]; nextCursor: string | null }> {
  const all = maySeeAll(ctx.actor)
  const after = decodeCursor(query.after)
  const rows = await store.listTemplates(ctx.db, { visibleOnly: !all, after, limit: query.limit })
  const { items, nextCursor } = cutPage(rows, query.limit, (row) => [row.name, row.id])
  const ids = items.map((row) => row.id)
  const counts = await countServers(ctx, ids, all ? null : ctx.actor.id)
  const viewer = all ? 'admin' : 'customer'
  return {
    items: items.map((row) => describeTemplate(row, counts.get(row.id), viewer)),
    nextCursor,
  }
}

/** A template with its counts, for an administrator. */
export async function showTemplate(ctx: Ctx, row: TemplateRow): Promise<Template> {
  return describeTemplate(row, (await countServers(ctx, [row.id])).get(row.id), 'admin')
}

/** Creates a custom template, with the document's own identity if it has one. */
export async function createTemplate(
  ctx: Ctx,
  document: TemplateDocument,
  given: { id?: string | undefined; warnings?: string[] } = {},
): Promise<TemplateRow> {
  return ctx.transaction(async (ctx) => {
    const id = given.id ?? document.uuid ?? randomUUID()
    const { name, description } = document
    const warnings = given.warnings ?? []
    const row = { id, name, description, origin: 'custom' as const, document, warnings }
    if (!(await store.insertTemplate(ctx.db, row))) throw await existsAlready(ctx.db, id)
    const made = await store.findTemplate(ctx.db, id)
    if (!made) throw new Error('the template that was just made is not there')
    return made
  })
}

async function existsAlready(db: Db, id: string): Promise<Problem> {
  const existing = await store.findTemplate(db, id)
  return new Problem(
    'duplicate',
    `This is the template "${existing?.name ?? 'without a name'}" (${id}), which exists already: overwrite it, or import the document as a copy`,
    { fields: { existing: { id, name: existing?.name ?? null } } },
  )
}

/**
 * Edits a template. Only a change of the runtime creates a new version. An edited built-in template
 * becomes a custom one, so that no upgrade of Lodge reverts the edit.
 */
export async function editTemplate(
  ctx: Ctx,
  id: string,
  document: TemplateDocument,
  given: { baseVersion?: number | undefined; warnings?: string[] } = {},
): Promise<TemplateRow> {
  return ctx.transaction(async (ctx) => {
    const row = await store.lockTemplate(ctx.db, id)
    if (!row) throw notFound('template')
    if (given.baseVersion !== undefined && given.baseVersion !== row.version) {
      throw new Problem(
        'conflict',
        `Somebody changed the template in the meantime (version ${row.version}): read it again`,
      )
    }
    if (sameDocument(row.document, document)) return row
    const version = sameRuntime(row.document, document) ? row.version : row.version + 1
    const warnings = given.warnings ? { warnings: given.warnings } : {}
    return store.storeDocument(ctx.db, row, { document, version, origin: 'custom', ...warnings })
  })
}

/** Deletes a custom template without servers. */
export async function removeTemplate(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const row = await store.lockTemplate(ctx.db, id)
    if (!row) throw notFound('template')
    if (row.origin === 'builtin') {
      throw new Problem('invalid_state', 'Built-in templates cannot be deleted')
    }
    const count = (await countServers(ctx, [id])).get(id)
    if (count) throw inUse(count.servers)
    try {
      await store.deleteTemplate(ctx.db, id)
    } catch (error) {
      if (isReferenced(error)) throw inUse(1)
      throw error
    }
  })
}

const inUse = (servers: number): Problem =>
  new Problem(
    'in_use',
    `${servers === 1 ? 'A server is' : `${servers} servers are`} made from this template`,
    {
      fields: { servers },
    },
  )

/** PostgreSQL's foreign_key_violation: a server was created between the count and the deletion. */
function isReferenced(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === '23503'
}

/** Releases a template to customers or withdraws it; its servers stay. */
export async function releaseTemplate(
  ctx: Ctx,
  row: TemplateRow,
  change: {
    customerVisible: boolean
    featured?: boolean | undefined
    customerDescription?: string | null | undefined
  },
): Promise<TemplateRow> {
  const { customerVisible, featured, customerDescription } = change
  return store.updateTemplate(ctx.db, row.id, {
    customerVisible,
    ...(featured === undefined ? {} : { featured }),
    ...(customerDescription === undefined
      ? {}
      : { customerDescription: customerDescription || null }),
  })
}
