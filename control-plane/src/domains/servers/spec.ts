import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import {
  containerSpecOf,
  TemplateValueError,
  variableFaults,
} from '@lodge/shared/templates/resolve.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { findNode } from '../nodes/index.ts'
import { findTemplateVersion } from '../templates/index.ts'
import { respecMachine } from './machine/spec.ts'
import { listPorts } from './store.ts'
import type { PortRow, ServerRow } from './tables.ts'

/** Every value must keep the rules of its variable. */
export function requireVariables(
  document: TemplateDocument,
  values: Readonly<Record<string, string>>,
): void {
  const faults = variableFaults(document, values)
  if (faults.length > 0)
    throw invalid(
      faults.map((fault) => ({ pointer: `/variables/${fault.env}`, detail: fault.detail })),
    )
}

/** The finished instruction for the node; what does not fit the template is the caller's to mend. */
export function specOf(
  document: TemplateDocument,
  server: Pick<ServerRow, 'id' | 'name' | 'variables' | 'memoryMb' | 'cpuPercent' | 'diskMb'> & {
    image?: string | null | undefined
  },
  ports: readonly PortRow[],
  address: string | null,
) {
  try {
    return containerSpecOf(document, {
      ...server,
      image: server.image ?? undefined,
      ports: ports.map((port) => ({
        offset: port.offset,
        hostPort: port.hostPort,
        container: port.containerPort,
        protocol: port.protocol,
      })),
      address,
    })
  } catch (error) {
    if (error instanceof TemplateValueError) throw new Problem('validation_failed', error.message)
    throw error
  }
}

/** The spec anew from a template version or the machine's parts, with the server's present size, values and ports. */
export async function respec(
  ctx: Ctx,
  row: ServerRow,
  version = row.templateVersion,
): Promise<WorkloadSpec> {
  if (row.kind === 'vm') return respecMachine(ctx.db, row)
  const [template, node, ports] = await Promise.all([
    findTemplateVersion(ctx.db, row.templateId ?? '', version ?? 0),
    findNode(ctx.db, row.nodeId),
    listPorts(ctx.db, row.id),
  ])
  if (!template) throw new Error(`template ${row.templateId} has no version ${version}`)
  return specOf(template.document, row, ports, node?.address ?? node?.remoteAddress ?? null)
}
