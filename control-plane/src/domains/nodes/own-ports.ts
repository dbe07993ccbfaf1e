import type { PortRange } from '@lodge/shared/nodes.ts'
import type { z } from 'zod'
import { invalid } from '../../http/input.ts'

/** Ports that the agent of a node listens on, and those of its servers. */
interface Ports {
  readonly sftpPort: number | null
  readonly transferPort: number | null
  readonly portRanges: readonly z.infer<typeof PortRange>[]
}

/** @throws {Problem} validation_failed if two purposes share a port */
export function requireApart({ portRanges, ...own }: Ports): void {
  const ports = Object.entries(own).flatMap(([name, port]) =>
    port === null ? [] : [{ name, port }],
  )
  const errors = ports.flatMap(({ name, port }, at) => {
    const pointer = `/${name}`
    if (portRanges.some(({ from, to }) => from <= port && port <= to))
      return {
        pointer,
        detail: 'is among the ports of the servers of this node: choose one outside of them',
      }
    if (ports.slice(0, at).some((other) => other.port === port))
      return { pointer, detail: 'is the port of SFTP already: choose another one' }
    return []
  })
  if (errors.length > 0) throw invalid(errors)
}
