import { connectionHints } from '@lodge/shared/templates/connection.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../problem.ts'
import { findTemplate } from '../../templates/index.ts'
import { listPorts } from '../port-store.ts'
import { findServer } from '../store.ts'
import type { ServerView } from './view.ts'

interface Guide {
  readonly connection: string[]
  readonly commands: NonNullable<TemplateDocument['commands']>
}

/**
 * What the template tells people about connecting to a server. Uses the newest document, even for
 * servers of an older version, because this does not affect what they run.
 */
export async function guideOf(ctx: Ctx, server: ServerView): Promise<Guide> {
  if (server.templateId === null) return { connection: [], commands: [] }
  const [row, template, ports] = await Promise.all([
    findServer(ctx.db, server.id),
    findTemplate(ctx.db, server.templateId),
    listPorts(ctx.db, server.id),
  ])
  if (!row || !template) throw notFound('server')
  const { name, address } = server
  return {
    connection: connectionHints(template.document, {
      name,
      address,
      ports,
      variables: row.variables,
    }),
    commands: template.document.commands ?? [],
  }
}
