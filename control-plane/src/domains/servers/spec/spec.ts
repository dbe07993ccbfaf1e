import type { Ctx } from '../../../context.ts'
import { findNode } from '../../nodes/index.ts'
import { findTemplateVersion } from '../../templates/index.ts'
import { respecMachine } from '../machine/spec.ts'
import { listPorts } from '../port-store.ts'
import type { ServerRow } from '../tables.ts'
import { allVariables, type Stored, storedSpec } from './sealed.ts'

/**
 * Rebuilds the spec in its stored form, from a template version or the machine's parts and the
 * server's current size, values and ports.
 */
export async function respec(
  ctx: Ctx,
  row: ServerRow,
  version = row.templateVersion,
  variables = row.kind === 'vm' ? {} : allVariables(ctx.vault, row),
): Promise<Stored> {
  if (row.kind === 'vm') return { desiredSpec: await respecMachine(ctx.db, row) }
  const [template, node, ports] = await Promise.all([
    findTemplateVersion(ctx.db, row.templateId ?? '', version ?? 0),
    findNode(ctx.db, row.nodeId),
    listPorts(ctx.db, row.id),
  ])
  if (!template) throw new Error(`template ${row.templateId} has no version ${version}`)
  const address = node?.address ?? node?.remoteAddress ?? null
  return storedSpec(ctx.vault, template.document, { ...row, variables }, ports, address)
}
