import type { DatabaseSync } from 'node:sqlite'
import { Report } from '@lodge/proto/fleet.ts'
import { TaskResult } from '@lodge/proto/task.ts'
import { ScheduleStore } from './schedule-store.ts'
import { openStore } from './store.ts'

export type ReportContent = NonNullable<Report['content']>

export interface JournalOptions {
  readonly file: string
  readonly nowMs: () => number
  /** Called with the new name of a damaged journal that was set aside. */
  readonly setAside: (name: string) => void
  /** Called when something that the agent can do without was not written. */
  readonly unwritten?: (error: unknown) => void
  readonly maxReportBytes?: number
}

const MAX_REPORT_BYTES = 64 * 1024 * 1024
const SAMPLE_HOURS = 24
const TASK_HOURS = 48
/** The size limits are checked once per this many reports. */
const PRUNE_EVERY = 64

/**
 * The agent's durable state: each server's last desired state and progress, unacknowledged reports,
 * and task results. Everything is on disk when a method returns, so a killed agent loses nothing it
 * has confirmed.
 */
export class Journal {
  readonly schedules: ScheduleStore
  readonly #db: DatabaseSync
  readonly #nowMs: () => number
  readonly #maxBytes: number
  readonly #unwritten: (error: unknown) => void
  readonly #statements
  #next: number
  #bytes: number
  #sincePrune = 0
  #depth = 0
  /** As which node this agent was welcomed last. */
  #welcomedAs: string | undefined

  constructor(options: JournalOptions) {
    this.#db = openStore(options.file, options.nowMs(), options.setAside)
    this.#nowMs = options.nowMs
    this.#maxBytes = options.maxReportBytes ?? MAX_REPORT_BYTES
    this.#unwritten = options.unwritten ?? (() => undefined)
    const db = this.#db
    this.schedules = new ScheduleStore(db, options.nowMs)
    this.#statements = {
      append: db.prepare('insert into reports (sequence, kind, at_ms, body) values (?, ?, ?, ?)'),
      after: db.prepare(
        'select sequence, body from reports where sequence > ? order by sequence limit ?',
      ),
      acknowledge: db.prepare('delete from reports where sequence <= ?'),
      oldest: db.prepare('select sequence from reports order by sequence limit 1'),
      all: db.prepare('select sequence from reports order by sequence desc'),
      move: db.prepare('update reports set sequence = ? where sequence = ?'),
      saveServer: db.prepare('insert or replace into servers (server_id, document) values (?, ?)'),
      forgetServer: db.prepare('delete from servers where server_id = ?'),
      saveSetting: db.prepare('insert or replace into settings (name, value) values (?, ?)'),
      saveResult: db.prepare(
        'insert or ignore into task_results (task_id, at_ms, body) values (?, ?, ?)',
      ),
      result: db.prepare('select body from task_results where task_id = ?'),
    }
    // Zero after a lost journal; the control plane then says where to continue: `welcomed`.
    const known = Number(this.setting('newest_report') ?? 0)
    const newest = Number(
      db.prepare('select max(sequence) as newest from reports').get()?.newest ?? 0,
    )
    this.#next = Math.max(known, newest) + 1
    this.#bytes = this.#weigh()
    this.attempt(() => {
      const beforeMs = options.nowMs() - TASK_HOURS * 3_600_000
      db.prepare('delete from task_results where at_ms < ?').run(beforeMs)
      this.schedules.dropOld()
    })
  }

  /** Number of the newest report, acknowledged or not. */
  get newest(): number {
    return this.#next - 1
  }

  /** Bytes of the unacknowledged reports. */
  get reportBytes(): number {
    return this.#bytes
  }

  /** Commits all writes of `work` together, or none. A nested call joins the outer transaction. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.#db.exec('begin immediate')
    this.#depth = 1
    try {
      const result = work()
      this.#db.exec('commit')
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    } finally {
      this.#depth = 0
    }
  }

  /**
   * Writes what the agent can do without. A full disk must not end it: its node has to stay
   * reachable, so that its servers can be stopped and their files deleted.
   * @returns whether it is written
   */
  attempt(write: () => void): boolean {
    try {
      write()
      return true
    } catch (error) {
      this.#unwritten(error)
      return false
    }
  }

  servers(): Map<string, unknown> {
    const found = new Map<string, unknown>()
    for (const row of this.#db.prepare('select server_id, document from servers').all()) {
      try {
        found.set(String(row.server_id), JSON.parse(String(row.document)))
      } catch {
        // An unreadable document counts as never written: the runtime's inventory fills the gap.
      }
    }
    return found
  }

  saveServer(serverId: string, document: unknown): void {
    this.#statements.saveServer.run(serverId, JSON.stringify(document))
  }

  forgetServer(serverId: string): void {
    this.#statements.forgetServer.run(serverId)
  }

  setting(name: string): string | undefined {
    const row = this.#db.prepare('select value from settings where name = ?').get(name)
    return row === undefined ? undefined : String(row.value)
  }

  saveSetting(name: string, value: string): void {
    this.#statements.saveSetting.run(name, value)
  }

  /** Returns the sequence number of the new report. */
  append(content: ReportContent): number {
    const sequence = this.#next
    const body = Report.encode({ sequence: 0, content }).finish()
    this.transaction(() => {
      this.#statements.append.run(sequence, content.$case, this.#nowMs(), body)
    })
    this.#next += 1
    this.#bytes += body.byteLength
    this.#sincePrune += 1
    if (this.#bytes > this.#maxBytes || this.#sincePrune >= PRUNE_EVERY) this.#prune()
    return sequence
  }

  /** The oldest pending reports after this sequence number, in order. */
  reportsAfter(sequence: number, limit: number): Report[] {
    return this.#statements.after.all(sequence, limit).map((row) => ({
      ...Report.decode(row.body instanceof Uint8Array ? row.body : new Uint8Array()),
      sequence: Number(row.sequence),
    }))
  }

  /**
   * A session begins in this epoch, with the reports up to `through` stored; call it before any is
   * sent. A journal that ends before, or of which nothing was ever sent as this node, replaces one
   * that was lost: its reports get numbers after those of that one. They would be dropped as
   * duplicates otherwise.
   */
  welcomed(nodeId: string, epoch: number, through: number): void {
    const oldest = Number(this.#statements.oldest.get()?.sequence ?? Number.POSITIVE_INFINITY)
    const known = this.#welcomedAs ?? this.setting('node_id')
    // Agents of before kept only the number of the newest report that was acknowledged.
    const isNew =
      known === undefined ? this.setting('newest_report') === undefined : known !== nodeId
    const shift = oldest <= through && (isNew || through > this.newest) ? through + 1 - oldest : 0
    const newest = Math.max(this.newest + shift, through)
    const write = () =>
      this.transaction(() => {
        const { all, move } = this.#statements
        // From the last on, since none may get the number of another.
        const rows = shift > 0 ? all.all() : []
        for (const { sequence } of rows) move.run(Number(sequence) + shift, Number(sequence))
        this.saveSetting('node_id', nodeId)
        this.saveSetting('node_epoch', String(epoch))
        this.#dropThrough(through, newest)
      })
    if (shift > 0) write()
    else this.attempt(write)
    this.#welcomedAs = nodeId
    this.#next = newest + 1
    this.#bytes = this.#weigh()
  }

  /** How far the control plane had come with this node; zero where the journal is of another one. */
  heard(nodeId: string): { nodeEpoch: number; acknowledgedReport: number } {
    const known = (name: string) =>
      this.setting('node_id') === nodeId ? Number(this.setting(name) ?? 0) : 0
    return { nodeEpoch: known('node_epoch'), acknowledgedReport: known('acknowledged_report') }
  }

  /** The control plane has durably stored the reports up to this one; deletes them here. */
  acknowledge(through: number): void {
    const newest = Math.max(this.newest, through)
    // Those that stay are not sent again: the next session begins after them.
    this.attempt(() => this.transaction(() => this.#dropThrough(through, newest)))
    this.#next = newest + 1
    this.#bytes = this.#weigh()
  }

  taskResult(taskId: string): TaskResult | undefined {
    const row = this.#statements.result.get(taskId)
    return row?.body instanceof Uint8Array ? TaskResult.decode(row.body) : undefined
  }

  saveTaskResult(result: TaskResult): void {
    this.#statements.saveResult.run(
      result.taskId,
      this.#nowMs(),
      TaskResult.encode(result).finish(),
    )
  }

  close(): void {
    this.#db.close()
  }

  #dropThrough(through: number, newest: number): void {
    this.#statements.acknowledge.run(through)
    this.saveSetting('acknowledged_report', String(through))
    this.saveSetting('newest_report', String(newest))
  }

  #weigh(): number {
    return Number(
      this.#db.prepare('select coalesce(sum(length(body)), 0) as bytes from reports').get()?.bytes,
    )
  }

  /** Drops old samples first; events only when they alone exceed the limit. */
  #prune(): void {
    this.#sincePrune = 0
    this.transaction(() => {
      this.saveSetting('newest_report', String(this.newest))
      this.#db
        .prepare("delete from reports where kind = 'metrics' and at_ms < ?")
        .run(this.#nowMs() - SAMPLE_HOURS * 3_600_000)
      for (const kind of ['metrics', 'serverEvent', 'scheduleRun']) {
        const oldest = this.#db.prepare(
          'delete from reports where sequence in (select sequence from reports where kind = ? order by sequence limit 64)',
        )
        while (this.#weigh() > this.#maxBytes && Number(oldest.run(kind).changes) > 0);
      }
    })
    this.#bytes = this.#weigh()
  }
}
