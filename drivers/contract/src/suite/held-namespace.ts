import { spawnSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'

/** Runs the program, and throws with what it says when it fails. */
export function must(file: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(file, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stderr}`)
}

/**
 * For the process that holds the namespaces of a test node: says that they are ready, and once its
 * standard input is closed, ends with everything in its network namespace.
 */
export function holdNamespaces(): void {
  process.stdout.write('ready\n')
  process.on('SIGINT', () => {})
  process.stdin.resume()
  process.stdin.on('end', () => {
    const own = readlinkSync('/proc/self/ns/net')
    // What is started meanwhile is found in the next round.
    while (endOthersIn(own)) {}
    process.exit(0)
  })
}

/** @returns whether there was a process to end */
function endOthersIn(namespace: string): boolean {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && namespaceOf(pid) === namespace)
  return pids.filter(endProcess).length > 0
}

function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
    return false
  }
}

/** Null for a process that has ended, even if it is still a zombie. */
function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return null
  }
}
