import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Bench } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { startProgram } from '../stage/program.ts'
import type { AgentSeed, Heard } from './simulated-agent.ts'

export type Count = Heard & { readonly up: number }

/** A process that runs many agents. */
export interface Agents {
  readonly pid: number
  /** The latest count. */
  count(): Count
  /** Resolves when the count matches. */
  until(fits: (count: Count) => boolean): Promise<Count>
  beats(): void
  still(): void
  stop(): Promise<void>
}

/** Starts agents that connect and stay connected; resolves before they have connected. */
export async function startAgents(
  bench: Bench,
  seeds: readonly AgentSeed[],
  at: { port: number; authorityFolder: string; beatMs: number },
): Promise<Agents> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-bench-agents-'))
  const seedFile = path.join(folder, 'seeds.json')
  await writeFile(seedFile, JSON.stringify(seeds))
  const settings = {
    port: at.port,
    caFile: path.join(at.authorityFolder, 'authority.pem'),
    seedFile,
    beatMs: at.beatMs,
  }
  const isCount = (line: object): line is Count => 'up' in line && 'desiredStates' in line
  const program = await startProgram(
    ['bench/src/fleet/agents.ts', JSON.stringify(settings)],
    {},
    isCount,
  )
  let newest = { up: 0 } as Count
  const waiting = new Set<() => void>()
  if (!program.child.stdout || !program.child.stdin) throw new Error('the agents have no pipes')
  const { stdin } = program.child
  createInterface({ input: program.child.stdout }).on('line', (line) => {
    newest = JSON.parse(line)
    for (const look of waiting) look()
  })
  const agents: Agents = {
    pid: program.pid,
    count: () => newest,
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          if (!fits(newest)) return
          waiting.delete(look)
          resolve(newest)
        }
        waiting.add(look)
        look()
      }),
    beats: () => void stdin.write('beats\n'),
    still: () => void stdin.write('still\n'),
    async stop() {
      await program.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
  return bench.ending.add(agents, (one) => one.stop())
}

/** One agent for each node in the database, with the node's servers. */
export async function seedsOf({ pool }: Database): Promise<AgentSeed[]> {
  const { rows } = await pool.query<AgentSeed>(
    `select n.id as "nodeId", coalesce(array_agg(s.id) filter (where s.id is not null), '{}') as "serverIds"
     from nodes n left join servers s on s.node_id = n.id group by n.id order by n.id`,
  )
  return rows
}
