import { expect, it } from 'vitest'
import type { ReadCopy } from '../../capabilities/transfer.ts'
import { having } from '../having.ts'
import { none, type Stage } from './stage.ts'

export function transferSuite(stage: Stage): void {
  it('moves a server to another node completely, and not at all when a byte is wrong', async () => {
    const { server, spec } = await stage.made()
    const { serverId } = server
    const signal = stage.signal()
    const target = await stage.elsewhere()
    const there = having(target, 'transfer')
    const source = having(stage.driver(), 'transfer')
    const manifest = await source.manifest(serverId, none, signal)
    const read: ReadCopy = (name, offset, abort) => source.read(serverId, name, offset, abort)
    const files = manifest.files.map((file) => ({ ...file, sha256: '0'.repeat(64) }))
    const wrong = { ...manifest, files }
    await expect(there.import(server, spec, wrong, read, none, signal)).rejects.toMatchObject({
      code: 'copy_damaged',
    })
    expect(await target.recover(signal)).toEqual([])
    await there.import(server, spec, manifest, read, none, signal)
    await there.import(server, spec, manifest, read, none, signal)
    expect(await target.recover(signal)).toMatchObject([{ serverId, running: false }])
    expect((await there.manifest(serverId, none, signal)).files).toEqual(manifest.files)
    await stage.driver().remove(serverId)
    await target.remove(serverId)
    expect(await target.recover(signal)).toEqual([])
  })
}

/** Runs on a started server. */
export async function noCopyWhileRunning(stage: Stage, serverId: string): Promise<void> {
  const work = having(stage.driver(), 'transfer').manifest(serverId, none, stage.signal())
  await expect(work).rejects.toMatchObject({ code: 'not_stopped' })
}
