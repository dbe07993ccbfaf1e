import type { DatabaseSync } from 'node:sqlite'
import { type NodeRun, type NodeSchedule, NodeSchedules } from '@lodge/shared/node-schedules.ts'
import type { ScheduleTask } from '@lodge/shared/schedules.ts'

const KEPT_DAYS = 60

/** Who has used an occurrence. */
type User = 'node' | 'control plane'

/** A run with what is needed to resume it. */
export interface KeptRun {
  readonly run: NodeRun
  readonly name: string
  /** As they were when it began. */
  readonly tasks: readonly ScheduleTask[]
  /** Until when it needs nothing; a later agent does not resume it long after. */
  readonly idleUntilMs: number
  /** Which start of the server a task is waiting for. */
  readonly ownRuns: number
}

/**
 * The part of the journal about schedules: what each server's are, which occurrences are used, and
 * the runs under way. An occurrence is written here before anything is done for it.
 */
export class ScheduleStore {
  readonly #statements
  readonly #nowMs: () => number

  constructor(db: DatabaseSync, nowMs: () => number) {
    this.#nowMs = nowMs
    this.#statements = {
      documents: db.prepare('select server_id, document from schedules'),
      save: db.prepare('insert or replace into schedules (server_id, document) values (?, ?)'),
      forget: db.prepare('delete from schedules where server_id = ?'),
      use: db.prepare(
        'insert or ignore into occurrences (schedule_id, due_ms, used_by, at_ms) values (?, ?, ?, ?)',
      ),
      user: db.prepare('select used_by from occurrences where schedule_id = ? and due_ms = ?'),
      newest: db.prepare('select max(due_ms) as due_ms from occurrences where schedule_id = ?'),
      runs: db.prepare('select document from schedule_runs'),
      saveRun: db.prepare('insert or replace into schedule_runs (run_id, document) values (?, ?)'),
      endRun: db.prepare('delete from schedule_runs where run_id = ?'),
      dropOld: db.prepare('delete from occurrences where at_ms < ?'),
    }
  }

  /** Drops the occurrences that nobody claims any more. */
  dropOld(): void {
    this.#statements.dropOld.run(this.#nowMs() - KEPT_DAYS * 86_400_000)
  }

  /** The schedules of each server, as far as they can be read. */
  documents(): Map<string, readonly NodeSchedule[]> {
    const rows = this.#statements.documents.all()
    return new Map(
      rows.map(({ server_id, document }) => [String(server_id), readSchedules(String(document))]),
    )
  }

  save(serverId: string, document: string): void {
    this.#statements.save.run(serverId, document)
  }

  forget(serverId: string): void {
    this.#statements.forget.run(serverId)
  }

  /** Uses an occurrence. @returns false if it is used already */
  use(scheduleId: string, dueMs: number, by: User): boolean {
    return Number(this.#statements.use.run(scheduleId, dueMs, by, this.#nowMs()).changes) > 0
  }

  userOf(scheduleId: string, dueMs: number): User | undefined {
    const user = this.#statements.user.get(scheduleId, dueMs)?.used_by
    return user === 'node' || user === 'control plane' ? user : undefined
  }

  /** The newest used occurrence of a schedule, in milliseconds; zero if there is none. */
  newest(scheduleId: string): number {
    return Number(this.#statements.newest.get(scheduleId)?.due_ms ?? 0)
  }

  /** The runs that have not ended. */
  runs(): KeptRun[] {
    return this.#statements.runs.all().map(({ document }) => JSON.parse(String(document)))
  }

  /** Notes how a run goes; one that has ended is not kept. */
  saveRun(kept: KeptRun): void {
    const { id, endedAt } = kept.run
    if (endedAt === null) this.#statements.saveRun.run(id, JSON.stringify(kept))
    else this.#statements.endRun.run(id)
  }
}

/** A document that this agent does not understand contains nothing for it to do. */
export function readSchedules(document: string): readonly NodeSchedule[] {
  try {
    return NodeSchedules.safeParse(JSON.parse(document)).data?.schedules ?? []
  } catch {
    return []
  }
}
