import net from 'node:net'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'

const TRIES = 5

/** A range of host ports for the node's servers. */
export interface Ports {
  readonly from: number
  readonly to: number
}

/** Checks whether the node's ports can be bound, probing a few of each range. */
export async function checkPorts(ranges: readonly Ports[]): Promise<PreflightCheck> {
  const tried = [...new Set(ranges.flatMap(someOf))]
  const words = ranges.map(({ from, to }) => `${from} and ${to}`).join(', ')
  const answers = await Promise.all(tried.map(async (port) => ({ port, fault: await bind(port) })))
  const denied = answers.find(({ fault }) => fault !== undefined && fault !== 'EADDRINUSE')
  if (denied) {
    return {
      id: 'ports',
      state: 'failed',
      summary: `Port ${denied.port} cannot be bound (${denied.fault})`,
      remedy: 'Choose a port range above 1023 that nothing forbids',
    }
  }
  const busy = answers.filter(({ fault }) => fault !== undefined)
  if (busy.length === answers.length) {
    return {
      id: 'ports',
      state: 'warning',
      summary: `All tried ports between ${words} are in use; servers of this node may be using them`,
      remedy: null,
    }
  }
  return {
    id: 'ports',
    state: 'ok',
    summary: `Ports between ${words} can be bound`,
    remedy: null,
  }
}

function someOf({ from, to }: Ports): number[] {
  const step = Math.max(1, Math.floor((to - from) / (TRIES - 1)))
  return Array.from({ length: TRIES }, (_, index) => Math.min(to, from + index * step))
}

function bind(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error) => {
      resolve(errorCode(error) ?? error.message)
    })
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    )
  })
}
