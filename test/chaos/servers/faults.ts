import { readFileSync } from 'node:fs'
import type { Machine } from '../../real/support/machine.ts'
import { childrenOf, signal } from '../../support/processes.ts'

/** One part of Lodge that is killed. */
export interface Fault {
  readonly name: string
  /** kill -9; returns when it is gone. */
  strike(machine: Machine): Promise<void>
  /** Restarts it like the system's supervisor; Lodge supervises PostgreSQL itself. */
  restart(machine: Machine): Promise<void>
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'agent',
    strike: ({ agent }) => agent.kill(),
    restart: async ({ agent }) => agent.start(),
  },
  {
    name: 'control plane',
    strike: ({ panel }) => panel.kill(),
    restart: async ({ panel }) => panel.start(),
  },
  {
    name: 'PostgreSQL',
    strike: async (machine) => {
      const postmaster = machine.postmaster()
      const all = [postmaster, ...childrenOf(postmaster)]
      for (const pid of all) signal(pid, 'SIGKILL')
      await machine.until('PostgreSQL is gone', () => all.every((pid) => !isThere(pid)))
    },
    restart: async (machine) => {
      await machine.until('PostgreSQL answers', () =>
        machine.database.query('select 1').then(
          () => true,
          () => false,
        ),
      )
    },
  },
  {
    name: 'dockerd',
    strike: ({ engine }) => engine.program.kill(),
    restart: ({ engine }) => engine.start(),
  },
]

/** False also for a zombie. */
function isThere(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
