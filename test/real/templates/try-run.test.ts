import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { TemplateDocumentInput } from '@lodge/shared/templates/document.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { openJobs } from '../support/servers.ts'

const missing = await machineMissing()
const RUNS = 'echo ready; while :; do sleep 0.2; done'
const SILENT = 'echo thinking; while :; do sleep 0.2; done'

describe.skipIf(missing)('a try-run on a real Docker engine', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = await startMachine()
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  async function tried(document: TemplateDocumentInput, minutes = 15) {
    const { template } = await machine.admin.must('POST /api/templates/import', {
      body: { document: { ...document } },
    })
    return machine.admin.must('POST /api/templates/{id}/try', {
      params: { id: template.id },
      body: { minutes },
    })
  }

  const ended = (id: string) =>
    machine.until('the try-run ends', async () => {
      const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id } })
      return job.endedAt !== null && job
    })

  const written = async (id: string, source: 'install' | 'run') =>
    (await machine.admin.must('GET /api/servers/{id}/logs', { params: { id }, query: { source } }))
      .lines

  /** The remains of a server: its row, containers, files on the node, and open jobs. */
  async function remains(id: string): Promise<string[]> {
    const { items } = await machine.admin.must('GET /api/servers')
    const files = await readdir(path.join(machine.folder, 'lodge'), { recursive: true })
    const containers = [
      ...(await machine.containers('run')).keys(),
      ...(await machine.containers('install')).keys(),
    ]
    return [
      ...items.map((server) => server.id).filter((one) => one === id),
      ...containers.filter((one) => one === id),
      ...files.filter((file) => file.includes(id)),
      ...(await openJobs(machine)).map(({ kind }) => kind),
    ]
  }

  const isGone = (id: string, timeoutMs: number) =>
    machine
      .until('nothing is left', async () => (await remains(id)).length === 0, timeoutMs)
      .catch(async (error: Error) => {
        throw new Error(`left: ${(await remains(id)).join(', ')}\n${error.message}`)
      })

  const remove = (id: string) =>
    machine.admin.must('DELETE /api/servers/{id}', { params: { id }, query: {} })

  test('of a working template ends with a running server, and leaves nothing once deleted', async () => {
    const { serverId, jobId } = await tried(busyboxTemplate(RUNS))
    expect(await ended(jobId)).toMatchObject({ state: 'done' })
    expect((await machine.containers()).get(serverId)).toMatchObject({ running: true })
    await remove(serverId)
    await isGone(serverId, 60_000)
  })

  test('of one whose program or installation fails reports why, with the last output', async () => {
    const program = await tried(busyboxTemplate('echo no licence; exit 3'))
    const installation = await tried(
      busyboxTemplate(RUNS, {
        install: {
          image: { kind: 'registry', reference: 'lodge-test/busybox:1' },
          interpreter: ['sh'],
          script: 'echo no such download; exit 4',
        },
      }),
    )
    const [ran, installed] = [await ended(program.jobId), await ended(installation.jobId)]
    expect(ran).toMatchObject({ state: 'failed', failure: { detail: expect.stringMatching(/3/) } })
    expect(installed).toMatchObject({
      state: 'failed',
      failure: { detail: expect.stringMatching(/4/) },
    })
    expect(await written(program.serverId, 'run')).toContainEqual(
      expect.stringContaining('no licence'),
    )
    expect(await written(installation.serverId, 'install')).toContainEqual(
      expect.stringContaining('no such download'),
    )
    for (const { serverId } of [program, installation]) await remove(serverId)
    for (const { serverId } of [program, installation]) await isGone(serverId, 60_000)
  })

  test('of one that never becomes ready ends with a timeout', {
    tags: 'long',
  }, async () => {
    const proofOfLife = {
      patterns: [{ kind: 'text' as const, value: 'ready' }],
      timeoutSeconds: 4,
    }
    const { serverId, jobId } = await tried(busyboxTemplate(SILENT, { proofOfLife }))
    expect(await ended(jobId)).toMatchObject({
      state: 'failed',
      failure: { detail: expect.stringContaining('no sign of life') },
    })
    expect(await written(serverId, 'run')).toContainEqual(expect.stringContaining('thinking'))
    await remove(serverId)
    await isGone(serverId, 60_000)
  })

  test('leaves nothing behind when the control plane is killed in the middle', {
    tags: 'long',
  }, async () => {
    // It would wait five minutes to be ready, and times out after one.
    const { serverId, jobId } = await tried(busyboxTemplate(SILENT), 1)
    await machine.until(
      'its container runs',
      async () => (await machine.containers()).get(serverId)?.running,
    )
    await machine.panel.kill()
    machine.panel.start()
    await machine.until('the node is back', () => machine.isUp(), 120_000)
    const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
    expect(job.endedAt).toBeNull()
    await isGone(serverId, 150_000)
    expect(await ended(jobId)).not.toMatchObject({ state: 'done' })
  })
})
