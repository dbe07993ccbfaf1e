import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { Ctx } from '../../../context.ts'
import { findNode } from '../../nodes/index.ts'
import { findTemplateVersion } from '../../templates/index.ts'
import { respecMachine } from '../machine/spec.ts'
import { listPorts } from '../port-store.ts'
import type { PortRow, ServerRow } from '../tables.ts'
import { allVariables, type Stored, storedSpec } from './sealed.ts'
import { specOf } from './spec-of.ts'

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
  const [{ template, address }, ports] = await Promise.all([
    partsOf(ctx, row, version),
    listPorts(ctx.db, row.id),
  ])
  return storedSpec(ctx.vault, template.document, { ...row, variables }, ports, address)
}

/** The complete spec of a container server on a node that does not have it yet, with these ports. */
export async function specAt(
  ctx: Ctx,
  row: ServerRow,
  nodeId: string,
  ports: readonly PortRow[],
): Promise<ContainerSpec> {
  const { template, address } = await partsOf(ctx, { ...row, nodeId }, row.templateVersion)
  const variables = allVariables(ctx.vault, row)
  const { query: _, ...spec } = specOf(template.document, { ...row, variables }, ports, address)
  return spec
}

async function partsOf(
  ctx: Ctx,
  row: Pick<ServerRow, 'templateId' | 'nodeId'>,
  version: number | null,
) {
  const [template, node] = await Promise.all([
    findTemplateVersion(ctx.db, row.templateId ?? '', version ?? 0),
    findNode(ctx.db, row.nodeId),
  ])
  if (!template) throw new Error(`template ${row.templateId} has no version ${version}`)
  return { template, address: node?.address ?? node?.remoteAddress ?? null }
}
