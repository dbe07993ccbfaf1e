import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isoImage } from '../seed/iso9660.ts'
import { libvirtMissing } from '../testing/node.ts'
import { checkImage, diskSizeBytes } from './headers.ts'

const missing = await libvirtMissing()

describe.runIf(missing === null)('untrusted images', () => {
  let folder = ''
  const at = (name: string) => join(folder, name)
  const qemuImg = (...args: string[]) => execFileSync('qemu-img', args, { stdio: 'pipe' })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-images-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const refused = (name: string, kind: 'iso' | 'qcow2' | 'raw', why: RegExp) =>
    expect(checkImage(at(name), kind)).rejects.toMatchObject({
      code: 'medium_invalid',
      message: expect.stringMatching(why),
    })

  it('are accepted with their size when they are valid', async () => {
    qemuImg('create', '-f', 'qcow2', at('good.qcow2'), '10M')
    qemuImg('create', '-f', 'qcow2', '-o', 'compat=0.10', at('old.qcow2'), '11M')
    qemuImg('create', '-f', 'qcow2', '-o', 'extended_l2=on', at('new.qcow2'), '12M')
    await writeFile(at('good.raw'), Buffer.alloc(1024 * 1024 + 1))
    await writeFile(at('good.iso'), isoImage('X', { a: 'b' }))
    expect(await checkImage(at('good.qcow2'), 'qcow2')).toBe(10)
    expect(await checkImage(at('old.qcow2'), 'qcow2')).toBe(11)
    expect(await checkImage(at('new.qcow2'), 'qcow2')).toBe(12)
    expect(await diskSizeBytes(at('good.qcow2'))).toBe(10 * 1024 * 1024)
    expect(await checkImage(at('good.raw'), 'raw')).toBe(2)
    expect(await checkImage(at('good.iso'), 'iso')).toBe(1)
  })

  it('are refused when they reference a file of the node', async () => {
    qemuImg('create', '-q', '-f', 'qcow2', '-u', '-b', '/etc/shadow', '-F', 'raw', at('back'), '1M')
    await refused('back', 'qcow2', /based on another file/)
    const outside = `data_file=${at('outside')},data_file_raw=on`
    qemuImg('create', '-q', '-f', 'qcow2', '-o', outside, at('outer'), '1M')
    await refused('outer', 'qcow2', /data elsewhere/)
  })

  it('are refused when only a header extension names a file', async () => {
    const outside = `data_file=${at('outside2')}`
    qemuImg('create', '-q', '-f', 'qcow2', '-o', outside, at('sly'), '1M')
    const file = await open(at('sly'), 'r+')
    // Clears the feature bit in the header but keeps the file name.
    await file.write(Buffer.alloc(8), 0, 8, 72)
    await file.close()
    await refused('sly', 'qcow2', /another file/)
  })

  it('are refused when they are of another type than declared', async () => {
    qemuImg('create', '-q', '-f', 'qcow2', at('disk'), '1M')
    qemuImg('create', '-q', '-f', 'vmdk', at('foreign'), '1M')
    await writeFile(at('text'), 'hello')
    await writeFile(at('empty'), '')
    await refused('disk', 'raw', /another kind/)
    await refused('foreign', 'raw', /another kind/)
    await refused('disk', 'iso', /no ISO/)
    await refused('text', 'qcow2', /no qcow2/)
    await refused('empty', 'raw', /empty/)
    await refused('empty', 'iso', /no ISO/)
  })

  it('are refused when they are encrypted or have an invalid header', async () => {
    qemuImg('create', '-q', '-f', 'qcow2', at('locked'), '1M')
    const header = await open(at('locked'), 'r+')
    await header.write(Buffer.from([0, 0, 0, 2]), 0, 4, 32)
    await header.close()
    await refused('locked', 'qcow2', /encrypted/)
    qemuImg('create', '-q', '-f', 'qcow2', at('odd'), '1M')
    const file = await open(at('odd'), 'r+')
    await file.write(Buffer.from([0, 0, 0, 63]), 0, 4, 20)
    await file.close()
    await refused('odd', 'qcow2', /impossible/)
  })
})
