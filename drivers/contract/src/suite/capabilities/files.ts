import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { having } from '../having.ts'
import type { Stage } from './stage.ts'

export function filesSuite(stage: Stage): void {
  it('opens the files of a stopped server as those of its own user', async () => {
    const { server } = await stage.made()
    const files = having(stage.driver(), 'files')
    const opened = await files.open(server.serverId)
    expect(opened.folder).toBe(stage.driver().dataFolder(server.serverId))
    const owner = await stat(opened.folder)
    expect([owner.uid, owner.gid]).toEqual([opened.uid, opened.gid])
    expect(opened.usedBytes).toBeGreaterThanOrEqual(0)
    await stage.driver().remove(server.serverId)
    await expect(files.open(server.serverId)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('lets whoever uses the files of a server let go before it removes them', async () => {
    const { server } = await stage.made()
    const files = having(stage.driver(), 'files')
    const { folder } = await files.open(server.serverId)
    const seen: boolean[] = []
    files.onRelease(async (serverId) => {
      if (serverId === server.serverId) seen.push((await stat(folder)).isDirectory())
    })
    await stage.driver().remove(server.serverId)
    files.onRelease(async () => {})
    expect(seen).toEqual([true])
    await expect(readFile(join(folder, 'any'))).rejects.toThrow('ENOENT')
  })
}
