import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'

/** Kills the first process of every container of an engine, and with it the rest; its own programs may be dead. */
export async function endWorkloads(engineFolder: string): Promise<void> {
  const tasks = join(engineFolder, 'exec/containerd/daemon/io.containerd.runtime.v2.task/moby')
  for (const name of await readdir(tasks).catch(() => [])) {
    const pid = Number(await readFile(join(tasks, name, 'init.pid'), 'utf8').catch(() => 0))
    if (pid > 1) killQuietly(pid)
  }
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/**
 * Deletes the bridges of an engine that has ended, and the rules about them, all of which it leaves: with
 * every rule, each later change of the packet filter takes longer.
 */
export async function removeBridges(isOwn: (name: string) => boolean): Promise<void> {
  const links = await runProgram('ip', ['-brief', 'link', 'show', 'type', 'bridge'])
  const bridges = links.output
    .split('\n')
    .map((line) => line.split(/\s+/)[0] ?? '')
    .filter((name) => name !== '' && isOwn(name))
  for (const name of bridges) await runProgram('ip', ['link', 'delete', name])
  for (const table of ['filter', 'nat']) {
    const { output } = await runProgram('iptables', ['--wait', '-t', table, '-S'])
    for (const line of output.split('\n')) {
      const [verb, ...rule] = line.split(' ')
      if (verb !== '-A' || !rule.some(isOwn)) continue
      await runProgram('iptables', ['--wait', '-t', table, '-D', ...rule])
    }
  }
}
