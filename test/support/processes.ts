import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'

/** All processes that have `needle` in their command line or environment. */
export function processesOf(needle: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map((name) => ({
      pid: Number(name),
      command: read(name, 'cmdline'),
      environ: read(name, 'environ'),
    }))
    .filter(({ command, environ }) => command.includes(needle) || environ.includes(needle))
    .map(({ pid, command }) => ({ pid, command: command.trim() }))
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** The child processes of a running process. */
export const childrenOf = (pid: number): number[] =>
  read(`${pid}/task/${pid}`, 'children').split(' ').map(Number).filter(Boolean)

/** Sends a signal, unless the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself, or with its parent.
  }
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/** Polls until the result is not undefined; the test's time limit ends it. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
