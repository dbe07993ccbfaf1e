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
  readonly #statements
  #next: number
  #bytes: number
  #sincePrune = 0
  #depth = 0

  constructor(options: JournalOptions) {
    this.#db = openStore(options.file, options.nowMs(), options.setAside)
    this.#nowMs = options.nowMs
    this.#maxBytes = options.maxReportBytes ?? MAX_REPORT_BYTES
    const db = this.#db
    this.schedules = new ScheduleStore(db, options.nowMs)
    this.#statements = {
      append: db.prepare('insert into reports (sequence, kind, at_ms, body) values (?, ?, ?, ?)'),
      after: db.prepare(
        'select sequence, body from reports where sequence > ? order by sequence limit ?',
      ),
      acknowledge: db.prepare('delete from reports where sequence <= ?'),
      saveServer: db.prepare('insert or replace into servers (server_id, document) values (?, ?)'),
      forgetServer: db.prepare('delete from servers where server_id = ?'),
      saveSetting: db.prepare('insert or replace into settings (name, value) values (?, ?)'),
      saveResult: db.prepare(
        'insert or ignore into task_results (task_id, at_ms, body) values (?, ?, ?)',
      ),
      result: db.prepare('select body from task_results where task_id = ?'),
    }
    // Zero after a lost journal; the control plane then says where to continue: `continueAfter`.
    const known = Number(this.setting('newest_report') ?? 0)
    const newest = Number(
      db.prepare('select max(sequence) as newest from reports').get()?.newest ?? 0,
    )
    this.#next = Math.max(known, newest) + 1
    this.#bytes = this.#weigh()
    db.prepare('delete from task_results where at_ms < ?').run(
      options.nowMs() - TASK_HOURS * 3_600_000,
    )
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

  /** Notes in which epoch this node was welcomed last. */
  welcomed(nodeId: string, epoch: number): void {
    this.transaction(() => {
      this.saveSetting('node_id', nodeId)
      this.saveSetting('node_epoch', String(epoch))
    })
  }

  /** How far the control plane had come with this node; zero where the journal is of another one. */
  heard(nodeId: string): { nodeEpoch: number; acknowledgedReport: number } {
    const known = (name: string) =>
      this.setting('node_id') === nodeId ? Number(this.setting(name) ?? 0) : 0
    return { nodeEpoch: known('node_epoch'), acknowledgedReport: known('acknowledged_report') }
  }

  /** The control plane has durably stored the reports up to this one; deletes them here. */
  acknowledge(through: number): void {
    this.transaction(() => {
      this.#statements.acknowledge.run(through)
      this.saveSetting('acknowledged_report', String(through))
      this.saveSetting('newest_report', String(Math.max(this.newest, through)))
    })
    if (through >= this.#next) this.#next = through + 1
    this.#bytes = this.#weigh()
  }

  /**
   * The control plane has acknowledged reports that this journal never wrote, so the journal was
   * lost. Renumbers pending reports after those; otherwise they would be dropped as duplicates.
   */
  continueAfter(through: number): void {
    if (through <= this.newest) return
    this.transaction(() => {
      const rows = this.#db.prepare('select sequence from reports order by sequence desc').all()
      const shift = through - (Number(rows.at(-1)?.sequence ?? 0) - 1)
      const move = this.#db.prepare('update reports set sequence = ? where sequence = ?')
      for (const row of rows) move.run(Number(row.sequence) + shift, Number(row.sequence))
      this.#next = (rows[0] ? Number(rows[0].sequence) + shift : through) + 1
      this.saveSetting('newest_report', String(this.newest))
    })
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
