import { execFileSync } from 'node:child_process'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ConfigFile } from '@lodge/shared/container-spec.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applyConfigFiles } from './apply-config-files.ts'
import { configure } from './configure.ts'

const file = (path: string, changes: Partial<ConfigFile> = {}): ConfigFile => ({
  path,
  parser: 'properties',
  create: true,
  edits: [{ match: 'port', value: '25565' }],
  ...changes,
})
const asRoot = process.getuid?.() === 0

describe('configuration files', () => {
  let base: string
  let data: string
  let outside: string

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'config-files-'))
    data = join(base, 'data')
    outside = join(base, 'outside')
    await mkdir(data)
    await mkdir(outside)
    await writeFile(join(outside, 'secret'), 'port=1\n')
  })
  afterEach(() => rm(base, { recursive: true, force: true }))

  const untouched = async () => {
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('port=1\n')
    expect(await readdir(outside)).toEqual(['secret'])
  }

  it('are edited with mode and owner kept, and leave no temporary files', async () => {
    const path = join(data, 'server.properties')
    await writeFile(path, '#c\nport=1\n')
    await chmod(path, 0o640)
    if (asRoot) await chown(path, 23_456, 23_457)
    const before = await stat(path)
    expect(await applyConfigFiles(data, [file('server.properties')])).toEqual({
      changed: ['server.properties'],
      faults: [],
    })
    const after = await stat(path)
    expect(await readFile(path, 'utf8')).toBe('#c\nport=25565\n')
    expect([after.uid, after.gid, after.mode]).toEqual([before.uid, before.gid, before.mode])
    expect(after.ino).not.toBe(before.ino)
    expect(await readdir(data)).toEqual(['server.properties'])
  })

  it('are not rewritten when nothing changes', async () => {
    await writeFile(join(data, 'a'), 'port=25565\n')
    const { ino, mtimeNs } = await stat(join(data, 'a'), { bigint: true })
    expect((await applyConfigFiles(data, [file('a')])).changed).toEqual([])
    expect(await stat(join(data, 'a'), { bigint: true })).toMatchObject({ ino, mtimeNs })
  })

  it('are created with their folders, owned by the owner of the data folder', async () => {
    if (asRoot) await chown(data, 23_456, 23_456)
    await applyConfigFiles(data, [file('a/b/c.properties')])
    expect(await readFile(join(data, 'a/b/c.properties'), 'utf8')).toBe('port=25565\n')
    const owner = (await stat(data)).uid
    for (const path of ['a', 'a/b', 'a/b/c.properties'])
      expect((await stat(join(data, path))).uid).toBe(owner)
  })

  it('are not created when the template forbids it, nor created empty', async () => {
    const files = [file('a/b', { create: false }), file('line.cfg', { parser: 'file' })]
    expect(await applyConfigFiles(data, files)).toEqual({ changed: [], faults: [] })
    expect(await readdir(data)).toEqual([])
  })

  it('are edited even when one of them fails, and the failure is named', async () => {
    await writeFile(join(data, 'bad.json'), '{"a":')
    await mkdir(join(data, 'folder'))
    const answer = await applyConfigFiles(data, [
      file('bad.json', { parser: 'json' }),
      file('folder'),
      file('good'),
    ])
    expect(answer.changed).toEqual(['good'])
    expect(answer.faults.map((fault) => fault.path)).toEqual(['bad.json', 'folder'])
    for (const fault of answer.faults) expect(fault.detail).toMatch(/\w+/)
    expect(await readFile(join(data, 'bad.json'), 'utf8')).toBe('{"a":')
    await expect(configure(data, [file('bad.json', { parser: 'json' })])).rejects.toThrow(
      /^bad\.json: /,
    )
    await configure(data, [file('good')])
  })

  it('keep text that is not UTF-8 as it is', async () => {
    await writeFile(join(data, 'a.ini'), Buffer.from([0x6d, 0x3d, 0xe4, 0x0a]))
    await applyConfigFiles(data, [file('a.ini', { parser: 'ini' })])
    expect([...(await readFile(join(data, 'a.ini')))].slice(0, 4)).toEqual([0x6d, 0x3d, 0xe4, 0x0a])
  })

  it('keep a byte order mark', async () => {
    await writeFile(join(data, 'a.json'), '\uFEFF{"port":1}')
    await applyConfigFiles(data, [file('a.json', { parser: 'json' })])
    expect(await readFile(join(data, 'a.json'), 'utf8')).toBe('\uFEFF{"port":25565}')
  })

  it('larger than the cap are refused', async () => {
    await writeFile(join(data, 'a.yml'), `a: ${'x'.repeat(1_100_000)}\n`)
    const { faults } = await applyConfigFiles(data, [file('a.yml', { parser: 'yaml' })])
    expect(faults[0]?.detail).toBe('It is larger than 0.5 MiB')
  })

  it('behind symbolic links are never read, written or created', async () => {
    await symlink(join(outside, 'secret'), join(data, 'link'))
    await symlink(outside, join(data, 'linked'))
    await mkdir(join(data, 'a'))
    await symlink('../../outside', join(data, 'a/up'))
    await symlink('/etc', join(data, 'etc'))
    const paths = ['link', 'linked/secret', 'linked/new', 'a/up/secret', 'a/up/new', 'etc/new']
    const { changed, faults } = await applyConfigFiles(
      data,
      paths.map((path) => file(path)),
    )
    expect(changed).toEqual([])
    expect(faults.map((fault) => fault.path)).toEqual(paths)
    expect(faults[0]?.detail).toBe('It is a symbolic link')
    await untouched()
  })

  it.each([
    '../outside/secret',
    'a/../../outside/secret',
    '/etc/hostname',
    'a//b',
    './a',
    '',
    'a\0b',
  ])('with the path %j are refused', async (path) => {
    const { changed, faults } = await applyConfigFiles(data, [file(path)])
    expect(changed).toEqual([])
    expect(faults).toHaveLength(1)
    await untouched()
  })

  it('that are not regular files are refused without blocking', async () => {
    execFileSync('/usr/bin/mkfifo', [join(data, 'pipe')])
    const { faults } = await applyConfigFiles(data, [file('pipe')])
    expect(faults[0]?.detail).toBe('It is not a plain file')
  })

  it('Wings-paths: cannot be led outside by somebody who swaps folders and links meanwhile', async () => {
    await mkdir(join(data, 'a'))
    await symlink(outside, join(data, 'trap'))
    let going = true
    const swapping = (async () => {
      while (going) {
        await rename(join(data, 'a'), join(data, 'b')).catch(() => undefined)
        await rename(join(data, 'trap'), join(data, 'a')).catch(() => undefined)
        await rename(join(data, 'a'), join(data, 'trap')).catch(() => undefined)
        await rename(join(data, 'b'), join(data, 'a')).catch(() => undefined)
      }
    })()
    let written = 0
    // Until one found the folder in place: how the two run into each other is up to the machine.
    for (let i = 0; i < 500 || written === 0; i++) {
      // Each time from another moment, so that they do not keep step.
      for (let turns = i % 7; turns > 0; turns--) await setImmediate()
      const { changed } = await applyConfigFiles(data, [
        file('a/secret', { edits: [{ match: 'port', value: i + 2 }] }),
      ])
      written += changed.length
    }
    going = false
    await swapping
    await untouched()
  })
})
