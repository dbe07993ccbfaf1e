import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { drawn } from '@lodge/driver/suite/chance.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Journal, type ReportContent } from './journal.ts'

describe('the journal', () => {
  let folder: string
  let file: string
  const aside: string[] = []
  const open = (more: { maxReportBytes?: number; nowMs?: () => number } = {}) =>
    new Journal({ file, nowMs: () => 1_000, setAside: (name) => aside.push(name), ...more })

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-journal-'))
    file = join(folder, 'journal.db')
    aside.length = 0
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('returns reports in order until they are acknowledged, even after a restart of the agent', () => {
    const first = open()
    const numbers = ['a', 'b', 'c'].map((id) => first.append(event(id)))
    first.acknowledge(numbers[0]!)
    first.close()
    const second = open()
    expect(second.reportsAfter(0, 10).map((report) => report.sequence)).toEqual(numbers.slice(1))
    expect(second.reportsAfter(numbers[1]!, 10)).toHaveLength(1)
    expect(second.append(event('d'))).toBe(numbers[2]! + 1)
    second.close()
  })

  it('never reuses a sequence number, even when all are acknowledged, and continues from the acknowledged one when the file is lost', async () => {
    const first = open()
    const last = first.append(event('a'))
    first.acknowledge(last)
    first.close()
    const second = open()
    expect(second.append(event('b'))).toBeGreaterThan(last)
    second.close()
    await rm(folder, { recursive: true })
    const third = open({ nowMs: () => 2_000 })
    // Small, whatever the clock says: the control plane refuses sequence numbers that jump.
    expect(third.append(event('c'))).toBe(1)
    third.welcomed('node', 1, 99_000_000)
    expect(third.reportsAfter(99_000_000, 10)).toHaveLength(1)
    third.close()
  })

  it('keeps what was reported after it was lost, however few the control plane had stored before', async () => {
    const journal = open()
    for (const id of ['a', 'b', 'c']) journal.append(event(id))
    journal.welcomed('node', 1, 2)
    const kept = journal.reportsAfter(2, 10).map(({ sequence }) => sequence)
    expect(kept).toEqual([3, 4, 5])
    // From now on the control plane counts what it gets from this one.
    journal.welcomed('node', 1, 4)
    expect(journal.reportsAfter(0, 10).map(({ sequence }) => sequence)).toEqual([5])
    journal.close()
  })

  it('sends nothing twice that an agent of before, which did not note its node, had sent', () => {
    const before = open()
    for (const id of ['a', 'b', 'c', 'd']) before.append(event(id))
    before.welcomed('node', 1, 0)
    before.acknowledge(2)
    before.close()
    const database = new DatabaseSync(file)
    database.exec(`delete from settings where name in ('node_id', 'acknowledged_report')`)
    database.close()
    const after = open()
    after.append(event('e'))
    after.welcomed('node', 1, 4)
    expect(after.reportsAfter(0, 10).map(({ sequence }) => sequence)).toEqual([5])
    after.close()
  })

  it('sets no healthy file aside that another process is using', () => {
    const before = open()
    before.append(event('a'))
    before.close()
    const other = new DatabaseSync(file)
    other.exec('pragma locking_mode = exclusive; begin exclusive')
    expect(() => open()).toThrow(/locked/)
    expect(aside).toEqual([])
    other.close()
    const after = open()
    expect(after.reportsAfter(0, 10)).toHaveLength(1)
    after.close()
  })

  it('sets a damaged file aside and starts a new one', () => {
    writeFileSync(file, 'this is not a database at all, but it has some length to it')
    const journal = open()
    expect(journal.servers().size).toBe(0)
    expect(aside).toHaveLength(1)
    expect(existsSync(aside[0]!)).toBe(true)
    journal.close()
  })

  it('drops samples before events when it is full', () => {
    const journal = open({ maxReportBytes: 20_000 })
    for (let index = 0; index < 20; index += 1) journal.append(event(`event-${index}`))
    for (let index = 0; index < 400; index += 1) journal.append(samples())
    expect(journal.reportBytes).toBeLessThanOrEqual(20_000)
    const kept = journal.reportsAfter(0, 1_000)
    expect(kept.filter((report) => report.content?.$case === 'serverEvent')).toHaveLength(20)
    expect(kept.some((report) => report.content?.$case === 'metrics')).toBe(true)
    journal.close()
  })

  it('drops samples after a day', () => {
    let nowMs = 1_000
    const journal = open({ nowMs: () => nowMs })
    journal.append(samples())
    nowMs += 25 * 3_600_000
    for (let index = 0; index < 64; index += 1) journal.append(event(String(index)))
    expect(
      journal.reportsAfter(0, 1_000).every((report) => report.content?.$case === 'serverEvent'),
    ).toBe(true)
    journal.close()
  })

  it('returns the first result of a task again', () => {
    const journal = open()
    const answer = {
      taskId: 't',
      outcome: { $case: 'done' as const, value: { output: undefined } },
    }
    journal.saveTaskResult(answer)
    journal.saveTaskResult({
      taskId: 't',
      outcome: { $case: 'failure', value: { code: 'x', detail: '', retryable: false } },
    })
    expect(journal.taskResult('t')).toEqual(answer)
    journal.close()
  })

  it('writes a transaction completely or not at all', () => {
    const journal = open()
    expect(() =>
      journal.transaction(() => {
        journal.saveServer('s', { a: 1 })
        throw new Error('power cut')
      }),
    ).toThrow('power cut')
    expect(journal.servers().size).toBe(0)
    journal.close()
  })

  it('is readable by its owner only', () => {
    const journal = open()
    journal.append(event('a'))
    expect(readdirSync(folder)).toContain('journal.db-wal')
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
    }
    journal.close()
  })

  it('loses nothing it has confirmed when the agent is killed at any moment', async () => {
    let told: number[] = []
    let acknowledged = 0
    for (let round = 0; round < 8; round += 1) {
      const child = fork(join(import.meta.dirname, '../testing/journal-writer.ts'), [file], {
        stdio: 'inherit',
      })
      const enough = drawn(5, 65)
      let count = 0
      child.on('message', (message: { written?: number; acknowledged?: number }) => {
        if (message.written !== undefined) {
          told.push(message.written)
          count += 1
        }
        if (message.acknowledged !== undefined) acknowledged = message.acknowledged
        if (count === enough) child.kill('SIGKILL')
      })
      // Messages sent before its end may still arrive until the channel closes.
      await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
      const journal = open()
      const kept = journal.reportsAfter(0, 10_000).map((report) => report.sequence)
      expect(new Set(kept).size).toBe(kept.length)
      told = told.filter((number) => number > acknowledged)
      expect(kept).toEqual(expect.arrayContaining(told))
      // At most the write in progress when the agent died may exceed what was confirmed.
      expect(
        kept.filter((number) => number > acknowledged).length - told.length,
      ).toBeLessThanOrEqual(2)
      told = kept.filter((number) => number > acknowledged)
      journal.close()
    }
  })
})

function event(eventId: string): ReportContent {
  return {
    $case: 'serverEvent',
    value: {
      eventId,
      serverId: 's',
      kind: 'crashed',
      at: new Date(0),
      exit: undefined,
      reason: '',
      restartAttempt: 0,
      restartOf: 0,
      restartWaitSeconds: 0,
      lastLines: [],
    },
  }
}

function samples(): ReportContent {
  const sample = {
    serverId: '8d6a2c5e-0000-4000-8000-000000000000',
    at: new Date(0),
    cpuPercent: 1,
    memoryBytes: 1,
    networkRxBytesPerSecond: 1,
    networkTxBytesPerSecond: 1,
    diskBytes: 1,
  }
  return { $case: 'metrics', value: { servers: [sample, sample, sample], nodes: [] } }
}
