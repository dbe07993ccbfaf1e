import type { ScheduleTask, TaskCondition, TaskResult } from './schedules.ts'
import type { ServerStatus } from './servers.ts'

/** What conditions are compared with, on the control plane or on a node. */
export interface ServerFacts {
  readonly status: ServerStatus
  /** Its workload is up, or on its way up or down. */
  readonly isOn: boolean
  readonly disk: { readonly usedBytes: number | null; readonly sizeMb: number }
  readonly memory: { readonly usedBytes: number | null; readonly sizeMb: number }
  /** How many play; undefined if nothing is known. */
  players(): Promise<number | undefined>
  /** The newest lines of output. @throws {OutputUnread} */
  output(lines: number): Promise<readonly string[]>
}

/** The output of a server could not be read. */
export class OutputUnread extends Error {}

/** Why a task does not run: the first condition that is not true. Undefined if all are. */
export async function unmetCondition(
  conditions: readonly TaskCondition[],
  facts: ServerFacts,
): Promise<string | undefined> {
  for (const condition of conditions) {
    const unmet = await whyUnmet(condition, facts)
    if (unmet !== undefined) return unmet
  }
  return undefined
}

async function whyUnmet(condition: TaskCondition, facts: ServerFacts): Promise<string | undefined> {
  switch (condition.about) {
    case 'state': {
      if (condition.in.includes(facts.status)) return undefined
      return `The server is ${facts.status.replaceAll('_', ' ')}`
    }
    case 'players':
      return players(condition, facts)
    case 'output':
      return output(condition, facts)
    case 'disk':
      return compared('disk', condition, shareOf(facts.disk))
    case 'memory':
      return compared('memory', condition, facts.isOn ? shareOf(facts.memory) : 0)
  }
}

type Compared = Extract<TaskCondition, { percent: number }>
const MIB = 1_048_576

const shareOf = ({ usedBytes, sizeMb }: ServerFacts['disk']): number | undefined =>
  usedBytes === null ? undefined : Math.round((100 * usedBytes) / (sizeMb * MIB))

function compared(what: string, { compare, percent }: Compared, share: number | undefined) {
  if (share === undefined) return `Nothing is known yet of the ${what} in use`
  return holds(compare, share, percent) ? undefined : `${share} % of the ${what} is in use`
}

const holds = (compare: 'atLeast' | 'atMost', found: number, wanted: number): boolean =>
  compare === 'atLeast' ? found >= wanted : found <= wanted

type AboutPlayers = Extract<TaskCondition, { about: 'players' }>

async function players({ compare, count }: AboutPlayers, facts: ServerFacts) {
  const online = facts.isOn ? await facts.players() : 0
  if (online === undefined) return 'Nothing is known of the players'
  if (holds(compare, online, count)) return undefined
  return online === 1 ? '1 player is on the server' : `${online} players are on the server`
}

type AboutOutput = Extract<TaskCondition, { about: 'output' }>

async function output({ contains, lines }: AboutOutput, facts: ServerFacts) {
  try {
    const read = await facts.output(lines)
    const text = contains.toLowerCase()
    const found = read.some((line) => line.toLowerCase().includes(text))
    return found ? undefined : `The output does not contain “${contains}”`
  } catch (error) {
    if (error instanceof OutputUnread) return `The output could not be read: ${error.message}`
    throw error
  }
}

type PowerTask = Extract<ScheduleTask, { action: 'power' }>['power']

/** Where nothing is left to do: a restart is always something. */
const ALREADY: Readonly<Record<PowerTask, readonly ServerStatus[]>> = {
  start: ['running', 'starting'],
  stop: ['stopped'],
  kill: ['stopped'],
  restart: [],
}

const AS_IT_IS: Readonly<Partial<Record<ServerStatus, string>>> = {
  running: 'The server is running',
  starting: 'The server is starting',
  stopped: 'The server is stopped',
}

/** What a power task says of a server that is as it should be; undefined if there is more to do. */
export const alreadySo = (power: PowerTask, status: ServerStatus): string | undefined =>
  ALREADY[power].includes(status) ? AS_IT_IS[status] : undefined

/** Why an occurrence is skipped while a run of its schedule is open. */
export const STILL_GOING = 'The previous run was still going'

/** How a run stands after some of its tasks. */
export interface Standing {
  /** No further task runs. */
  readonly isOver: boolean
  readonly state: 'done' | 'failed'
  readonly detail: string | null
}

/** @param results of the tasks that have ended, in order */
export function standingAfter(
  tasks: readonly Pick<ScheduleTask, 'otherwise' | 'continueOnFailure'>[],
  results: readonly Pick<TaskResult, 'state' | 'detail'>[],
): Standing {
  let [failures, note] = [0, null as string | null]
  for (const [at, { state, detail }] of results.entries()) {
    const task = tasks[at]
    if (!task) break
    if (state === 'failed') {
      failures += 1
      const failure = `Task ${at + 1}: ${detail}`
      if (!task.continueOnFailure) return { isOver: true, state: 'failed', detail: failure }
      note = failures === 1 ? failure : `${failures} tasks failed`
    }
    if (state === 'skipped' && task.otherwise === 'end')
      return { isOver: true, state: 'done', detail: `Ended at task ${at + 1}: ${detail}` }
  }
  return { isOver: results.length >= tasks.length, state: 'done', detail: note }
}

/** A result as it is when a run ends: what was not done is shown as skipped. */
export const closedResult = <Result extends TaskResult>(result: Result, now: Date): Result =>
  result.endedAt !== null
    ? result
    : { ...result, state: 'skipped', endedAt: result.startedAt && now.toISOString() }

/** The results of a run that begins. */
export const waitingResults = (tasks: readonly ScheduleTask[]): TaskResult[] =>
  tasks.map(({ action }) => ({
    ...{ action, state: 'waiting' as const, detail: null },
    ...{ startedAt: null, endedAt: null, jobId: null },
  }))
