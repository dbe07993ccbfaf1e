import net from 'node:net'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'

const TRIES = 5

/** Can the node's ports be bound? A few of the range are tried. */
export async function checkPorts(from: number, to: number): Promise<PreflightCheck> {
  const step = Math.max(1, Math.floor((to - from) / (TRIES - 1)))
  const tried = [
    ...new Set(Array.from({ length: TRIES }, (_, index) => Math.min(to, from + index * step))),
  ]
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
      summary: `All tried ports between ${from} and ${to} are in use; servers of this node may be using them`,
      remedy: null,
    }
  }
  return {
    id: 'ports',
    state: 'ok',
    summary: `Ports between ${from} and ${to} can be bound`,
    remedy: null,
  }
}

function bind(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error) => {
      resolve('code' in error && typeof error.code === 'string' ? error.code : error.message)
    })
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    )
  })
}
