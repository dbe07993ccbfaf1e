import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { machinePaths } from '../data/layout.ts'
import { type LibvirtDriverOptions, settingsOf } from '../options.ts'
import { killedAt } from '../testing/killed.ts'
import { libvirtMissing } from '../testing/node.ts'
import { completeExchange, exchange, type Plan, stagedIn } from './exchange.ts'

const missing = await libvirtMissing()
const UUID = randomUUID()
const SERVER = 'exchanged'
const STATE = 'tpm2-00.permall'
const PLAN: Plan = {
  uuid: UUID,
  tpm: true,
  items: [
    { name: 'disk-system.qcow2', place: 'disks/system.qcow2' },
    { name: 'disk-data.qcow2', place: 'disks/data.qcow2' },
    { name: 'firmware.fd', place: 'firmware.fd' },
  ],
}

describe.runIf(missing === null)('the files of a machine', () => {
  let root: string
  let options: LibvirtDriverOptions
  const paths = () => machinePaths(options.dataRoot, SERVER)
  const tpm = () => join(root, 'tpm', UUID, 'tpm2')
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lodge-vm-exchange-'))
    options = {
      dataRoot: join(root, 'data'),
      mediaFolder: join(root, 'media'),
      tpmFolder: join(root, 'tpm'),
    }
    await mkdir(paths().disks, { recursive: true })
    await mkdir(tpm(), { recursive: true })
    for (const { place } of PLAN.items) await writeFile(join(paths().folder, place), 'former')
    await writeFile(join(tpm(), STATE), 'former')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  async function stage(): Promise<void> {
    for (const folder of [paths().restore, paths().former, paths().exchange])
      await rm(folder, { recursive: true, force: true })
    const staged = stagedIn(paths())
    await mkdir(join(staged, 'tpm'), { recursive: true })
    for (const { name } of PLAN.items) await writeFile(join(staged, name), 'restored')
    await writeFile(join(staged, 'tpm', STATE), 'restored')
  }
  /** What is in place: one word when all files are of the same time. */
  async function inPlace(): Promise<string> {
    expect(await readdir(tpm())).toEqual([STATE])
    const files = [
      ...PLAN.items.map(({ place }) => join(paths().folder, place)),
      join(tpm(), STATE),
    ]
    return [...new Set(await Promise.all(files.map((file) => readFile(file, 'utf8'))))].join()
  }

  async function killedEvery(step: number): Promise<void> {
    const settings = { settings: settingsOf(options) }
    const seen = { former: 0, restored: 0 }
    for (let point = 0, finished = false; !finished; point += step) {
      await stage()
      const wanted = { ...PLAN, restoreId: randomUUID(), inPlace: 'restored' as const }
      finished = await killedAt(point, { options, exchanged: { serverId: SERVER, wanted } })
      await completeExchange(settings, SERVER)
      const found = await inPlace()
      expect(['former', 'restored'], `killed at ${point}`).toContain(found)
      seen[found === 'former' ? 'former' : 'restored'] += 1
      if (found === 'former') continue
      const back = { ...wanted, inPlace: 'former' as const }
      // Every second time it is killed on the way back as well.
      if (seen.restored % 2 === 0) await exchange(settings, SERVER, back)
      else {
        await killedAt(point, { options, exchanged: { serverId: SERVER, wanted: back } })
        await completeExchange(settings, SERVER)
        if ((await inPlace()) === 'restored') await exchange(settings, SERVER, back)
      }
      expect(await inPlace(), `killed at ${point}`).toBe('former')
    }
    expect(seen.former).toBeGreaterThan(0)
    expect(seen.restored).toBeGreaterThan(1)
  }

  test('are all former or all restored, wherever the agent is killed', async () => {
    await killedEvery(17)
  })

  test('are so at every single point', { tags: 'long', timeout: 900_000 }, async () => {
    await killedEvery(1)
  })
})
