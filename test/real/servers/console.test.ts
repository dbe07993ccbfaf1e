import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { median } from '../../../bench/src/measure/rounds.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, makeServers } from '../support/servers.ts'
import { type ConsoleReader, gaps, openReader } from './console-reader.ts'

/** Some 8,000 lines of 120 bytes each second; it counts its output in its data folder. */
const PRINTER = [
  'echo ready',
  'n=1000000000',
  `pad=$(printf '%0108d' 0)`,
  'while :; do seq $n $((n+999)) | sed "s/$/ $pad/"; n=$((n+1000)); echo $n > /data/new; mv /data/new /data/count; sleep 0.1; done',
].join('; ')
const ROUND_MS = 3_000
const LEAST_ROUNDS = 4
/** On a busy machine single rounds are unreliable, so allow more. */
const MOST_ROUNDS = 14
/**
 * A console that waits for its readers stops the server (a ratio near 0). A ratio above this is
 * explained by the CPU time of the readers' own processes.
 */
const LEAST_RATIO = 0.9
const MEMORY_BYTES = 128 * 1024 * 1024

interface Printer {
  readonly id: string
  readonly pid: number
}

const missing = await machineMissing()

describe.skipIf(missing)('the console of a server with endless output', () => {
  let machine: Machine
  let serverId: string
  /** Two servers that do the same: what else the machine does slows both alike. */
  let printers: readonly Printer[]

  beforeAll(async () => {
    machine = await startMachine()
    const limits = { memoryMb: 64, cpuPercent: 100, diskMb: 64 }
    const { ids } = await makeServers(machine, busyboxTemplate(PRINTER, { limits }), 2)
    serverId = ids[0] ?? ''
    await allAre(machine, ids, 'running', 120_000)
    const containers = await machine.containers()
    printers = ids.map((id) => ({ id, pid: containers.get(id)?.pid ?? 0 }))
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  const printed = ({ pid }: Printer) => Number(readFileSync(`/proc/${pid}/root/data/count`, 'utf8'))
  const agentBytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${machine.agent.pid}/status`, 'utf8'))?.[1]) *
    1024

  /** Lines per second of each server over one round. */
  async function speeds(): Promise<ReadonlyMap<Printer, number>> {
    const [before, beganAt] = [printers.map(printed), performance.now()]
    await pause(ROUND_MS)
    return new Map(
      printers.map((one, at) => [
        one,
        ((printed(one) - (before[at] ?? 0)) * 1000) / (performance.now() - beganAt),
      ]),
    )
  }

  /** Reads nothing, and acknowledges everything. */
  async function falseAcknowledger(id: string): Promise<ConsoleReader> {
    const reader = await openReader(machine, id)
    reader.stopReading()
    const lie = setInterval(
      () => reader.socket.send(JSON.stringify({ type: 'ack', bytes: 2 ** 30 })),
      20,
    )
    reader.socket.once('close', () => clearInterval(lie))
    return reader
  }

  test('clients that stop reading cost it nothing, and the agent no memory', async () => {
    await machine.until('they print', () =>
      printers.every((one) => printed(one) > 1_000_000_000 + 20_000),
    )
    const memoryBefore = agentBytes()
    let memoryMost = 0
    const alone: number[] = []
    const ratios: number[] = []
    const ratio = () => median(ratios)
    while (ratios.length < LEAST_ROUNDS || (ratios.length < MOST_ROUNDS && ratio() < LEAST_RATIO)) {
      // The servers take turns in having readers.
      for (const watched of printers) {
        const still = await openReader(machine, watched.id)
        still.stopReading()
        const dishonest = await falseAcknowledger(watched.id)
        const round = await speeds()
        const [without = 0] = [...round].flatMap(([one, speed]) => (one === watched ? [] : [speed]))
        alone.push(without)
        ratios.push((round.get(watched) ?? 0) / without)
        memoryMost = Math.max(memoryMost, agentBytes())
        still.close()
        dishonest.close()
      }
    }
    console.log(
      `alone ${median(alone).toFixed(0)} lines/s, with readers that stand still ` +
        `${(ratio() * 100).toFixed(2)} % of that after ${ratios.length} rounds; agent ` +
        `${(memoryBefore / 2 ** 20).toFixed(0)} MiB, at most ${(memoryMost / 2 ** 20).toFixed(0)} MiB`,
    )
    expect(median(alone)).toBeGreaterThan(5_000)
    expect(ratio()).toBeGreaterThanOrEqual(LEAST_RATIO)
    expect(memoryMost - memoryBefore).toBeLessThan(MEMORY_BYTES)
  })

  test('other clients receive every line meanwhile, and one that reconnects continues', async () => {
    const still = await openReader(machine, serverId)
    still.stopReading()
    const dishonest = await falseAcknowledger(serverId)
    const reader = await openReader(machine, serverId)
    await machine.until('a lot was read', () => reader.numbers.length > 30_000)
    expect(gaps(reader.numbers)).toBe(0)
    expect(reader.missedBytes).toBe(0)
    const last = reader.numbers.at(-1) ?? 0
    reader.close()

    const again = await openReader(machine, serverId)
    await machine.until('it goes on', () => (again.numbers.at(-1) ?? 0) > last + 10_000)
    expect(gaps(again.numbers)).toBe(0)
    for (const one of [still, dishonest, again]) one.close()
  })
})
