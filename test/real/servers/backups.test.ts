import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treeOf } from '../../../agent/src/backups/testing/tree-of.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, makeServers } from '../support/servers.ts'

const missing = await machineMissing()

describe.skipIf(missing)('backups on a real Docker engine', () => {
  let machine: Machine
  let id: string
  const params = () => ({ params: { id } })
  const folder = (of = id) => path.join(machine.folder, 'lodge/agent/servers/servers', of, 'data')
  beforeAll(async () => {
    machine = await startMachine()
    // Makes its tree once; fails to start with the file `broken`.
    const script = [
      'cd /data; test -e broken && exit 3',
      'test -e world || { mkdir -p world/deep empty; for i in $(seq 200); do echo $i > world/$i; done; ln -s ../world/1 world/deep/link; ln world/2 world/deep/same; touch closed; chmod 000 closed; }',
      'echo ready; while :; do sleep 0.2; done',
    ].join('; ')
    const { ids } = await makeServers(
      machine,
      busyboxTemplate(script, { limits: { memoryMb: 32, cpuPercent: 20, diskMb: 128 } }),
      1,
    )
    id = ids[0] ?? ''
    await allAre(machine, ids, 'running', 120_000)
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  const ended = async (jobId: string) => {
    const end = await machine.until(
      `the job ${jobId} ends`,
      async () => {
        const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
        return job.endedAt ? job : undefined
      },
      120_000,
    )
    return [end.state, end.failure?.detail ?? '']
  }
  const act = (body: {
    action: 'backup' | 'restore' | 'stop' | 'start'
    backupId?: string
    confirm?: true
  }) => machine.admin.must('POST /api/servers/{id}/actions', { ...params(), body })
  const list = () => machine.admin.must('GET /api/servers/{id}/backups', { ...params(), query: {} })
  /** The contents of a folder, without the modification times of folders. */
  const below = async (of: string) => {
    const tree = await treeOf(of)
    tree.delete('')
    return tree
  }
  const backUp = async () => {
    expect(await ended((await act({ action: 'backup' })).jobId)).toEqual(['done', ''])
    return (await list()).items[0]?.id ?? ''
  }
  /** Flips one bit of everything the node keeps. @returns what flips them back */
  const damagePacks = async () => {
    const repositories = path.join(machine.folder, 'lodge/agent/backups/repositories')
    const entries = await readdir(repositories, { recursive: true, withFileTypes: true })
    const packs = entries.filter(
      (one) => one.isFile() && path.basename(path.dirname(one.parentPath)) === 'data',
    )
    expect(packs.length).toBeGreaterThan(0)
    const flip = async () => {
      for (const { parentPath, name } of packs) {
        const pack = await open(path.join(parentPath, name), 'r+')
        const bit = Buffer.alloc(1)
        await pack.read(bit, 0, 1, 20)
        await pack.write(Buffer.from([bit.readUInt8() ^ 1]), 0, 1, 20)
        await pack.close()
      }
    }
    await flip()
    return flip
  }
  const restore = async (backupId: string) =>
    ended((await act({ action: 'restore', backupId, confirm: true })).jobId)

  test('a running server is backed up, broken, restored and runs again, byte for byte', async () => {
    await mkdir(path.join(folder(), 'cache'))
    await writeFile(path.join(folder(), 'cache/kept'), 'left out')
    const before = await below(folder())
    await machine.admin.must('PUT /api/servers/{id}/backups/ignored', {
      ...{ ...params(), body: { patterns: ['/cache', '*.log'] } },
    })
    const backupId = await backUp()
    expect((await list()).items[0]).toMatchObject({ ignored: ['/cache', '*.log'] })
    expect((await list()).items[0]).toMatchObject({ state: 'good', takenWhileRunning: true })
    await rm(path.join(folder(), 'world'), { recursive: true })
    await writeFile(path.join(folder(), 'virus'), 'x')
    expect(await restore(backupId)).toEqual(['done', ''])
    await allAre(machine, [id], 'running', 60_000)
    expect(before.has('/cache/kept')).toBe(true)
    expect(await below(folder())).toEqual(before)
    await machine.until(
      'what was before is deleted',
      async () => !(await readdir(path.dirname(folder()))).includes('former'),
    )
  })

  test('a restore after which the server does not start is rolled back', async () => {
    await writeFile(path.join(folder(), 'broken'), '')
    const broken = await backUp()
    await rm(path.join(folder(), 'broken'))
    await writeFile(path.join(folder(), 'newest'), 'kept')
    const [state, why] = await restore(broken)
    expect([state, why]).toEqual(['failed', expect.stringContaining('former')])
    await allAre(machine, [id], 'running', 120_000)
    expect(await readFile(path.join(folder(), 'newest'), 'utf8')).toBe('kept')
  })

  test('an agent killed during a backup and during a restore loses nothing', async () => {
    await writeFile(path.join(folder(), 'big'), Buffer.alloc(40_000_000, 'x'))
    const { jobId } = await act({ action: 'backup' })
    await machine.agent.kill()
    await machine.agent.start()
    expect(await ended(jobId)).toEqual(['done', ''])
    const backupId = (await list()).items[0]?.id ?? ''
    await writeFile(path.join(folder(), 'big'), 'ruined')
    const back = await act({ action: 'restore', backupId, confirm: true })
    await machine.agent.kill()
    await machine.agent.start()
    expect(await ended(back.jobId)).toEqual(['done', ''])
    await allAre(machine, [id], 'running', 60_000)
    expect((await readFile(path.join(folder(), 'big'))).byteLength).toBe(40_000_000)
  })

  test('files of a backup are browsed and restored one by one', async () => {
    const backupId = await backUp()
    await rm(path.join(folder(), 'world/7'))
    const { items } = await machine.admin.must('GET /api/servers/{id}/backups/{backupId}/files', {
      params: { id, backupId },
      query: { path: '/world' },
    })
    expect(items.slice(0, 2)).toMatchObject([
      { name: 'deep', kind: 'folder' },
      { name: '1', path: '/world/1', kind: 'file', sizeBytes: 2 },
    ])
    await writeFile(path.join(folder(), 'world/8'), 'newer')
    const { jobId, keptIn } = await machine.admin.must(
      'POST /api/servers/{id}/backups/{backupId}/restore-files',
      {
        params: { id, backupId },
        body: { paths: ['/world/7', '/world/8'], confirm: true, keepReplaced: true },
      },
    )
    expect(await ended(jobId)).toEqual(['done', ''])
    const kept = await treeOf(path.join(folder(), keptIn ?? ''))
    expect([...kept.keys()].toSorted()).toEqual(['', '/world', '/world/8'])
    expect(await readFile(path.join(folder(), `${keptIn}/world/8`), 'utf8')).toBe('newer')
    expect(await readFile(path.join(folder(), 'world/8'), 'utf8')).toBe('8\n')
    expect(await readFile(path.join(folder(), 'world/7'), 'utf8')).toBe('7\n')
  })

  test('reading a backup back finds one wrong bit, and it is restored only once that is repaired', async () => {
    const backupId = await backUp()
    const ofBackup = { params: { id, backupId } }
    const verify = async () => {
      const begun = await machine.admin.must(
        'POST /api/servers/{id}/backups/{backupId}/verify',
        ofBackup,
      )
      return await ended(begun.jobId)
    }
    const shown = async () => (await list()).items.find((one) => one.id === backupId)
    expect(await verify()).toEqual(['done', ''])
    expect(await shown()).toMatchObject({ verifiedAt: expect.any(String), damaged: null })

    const before = await below(folder())
    const undo = await damagePacks()
    expect(await verify()).toEqual(['failed', 'The backup or its repository is damaged.'])
    expect(await shown()).toMatchObject({
      damaged: { detail: 'The backup or its repository is damaged.' },
    })
    const refused = await machine.admin.call('POST /api/servers/{id}/actions', {
      ...params(),
      body: { action: 'restore', backupId, confirm: true },
    })
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await allAre(machine, [id], 'running', 60_000)
    expect(await below(folder())).toEqual(before)

    await undo()
    expect(await verify()).toEqual(['done', ''])
    await writeFile(path.join(folder(), 'world/7'), 'ruined')
    expect(await restore(backupId)).toEqual(['done', ''])
    expect(await readFile(path.join(folder(), 'world/7'), 'utf8')).toBe('7\n')
  })

  test('a program is told to pause writing, and to resume even after the agent was killed', async () => {
    const script = [
      'cd /data; echo on > saving; echo ready',
      'while read line; do case $line in off|on) echo $line > saving;; esac; echo $line >> heard; done',
    ].join('; ')
    const backup = { before: ['off', 'flush'], after: ['on'], settleSeconds: 3 }
    const { ids } = await makeServers(machine, busyboxTemplate(script, { backup }), 1)
    id = ids[0] ?? ''
    await allAre(machine, ids, 'running', 120_000)
    const read = (name: string) => readFile(path.join(folder(), name), 'utf8').catch(() => '')
    const heard = async () => (await read('heard')).split('\n').filter(Boolean)

    const backupId = await backUp()
    expect((await list()).items[0]).toMatchObject({ takenWhileRunning: false })
    expect(await heard()).toEqual(['off', 'flush', 'on'])
    const { jobId: back } = await machine.admin.must(
      'POST /api/servers/{id}/backups/{backupId}/restore-files',
      { params: { id, backupId }, body: { paths: ['/saving'], into: '/copied' } },
    )
    expect(await ended(back)).toEqual(['done', ''])
    expect([await read('copied/saving'), await read('saving')]).toEqual(['off\n', 'on\n'])

    const { jobId } = await act({ action: 'backup' })
    await machine.until('it keeps still', async () => (await heard()).length === 5)
    await machine.agent.kill()
    await machine.agent.start()
    expect(await ended(jobId)).toEqual(['done', ''])
    expect((await heard()).slice(5)).toEqual(['on', 'off', 'flush', 'on'])
  })
})
