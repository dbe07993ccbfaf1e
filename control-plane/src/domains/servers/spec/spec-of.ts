import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import {
  containerSpecOf,
  TemplateValueError,
  variableFaults,
} from '@lodge/shared/templates/resolve.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import type { PortRow, ServerRow } from '../tables.ts'

/** Every value must satisfy its variable's rules. */
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

/**
 * The complete spec for the node.
 * @throws {Problem} for values that do not fit the template
 */
export function specOf(
  document: TemplateDocument,
  server: Pick<ServerRow, 'id' | 'name' | 'variables' | 'memoryMb' | 'cpuPercent' | 'diskMb'> & {
    image?: string | null | undefined
    storageId?: string | null | undefined
  },
  ports: readonly PortRow[],
  address: string | null,
): ContainerSpec {
  try {
    const spec = containerSpecOf(document, {
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
    return server.storageId ? { ...spec, storage: server.storageId } : spec
  } catch (error) {
    if (error instanceof TemplateValueError) throw new Problem('validation_failed', error.message)
    throw error
  }
}
