import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFile,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lengthOf } from '../../../test/run/lengths.ts'
import { field, PacketReader, packet, packetsOf, REQUEST, STATUS } from './helper/sftp/packets.ts'
import { FileFixture, UID } from './testing/file-fixture.ts'
import { openSftp, sftp } from './testing/sftp-client.ts'

let files: FileFixture
beforeAll(async () => {
  files = await FileFixture.open()
})
beforeEach(() => {
  files.facts = {}
})
afterAll(() => files.close())

test('the client of OpenSSH puts, gets, renames, links and deletes as on any other server', async () => {
  const bytes = randomBytes(3_000_000)
  await writeFile(join(files.folder, 'local'), bytes, { mode: 0o640 })
  const { ok, output } = await sftp(files, [
    'mkdir world',
    'put -p local world/größe.dat',
    'cd world',
    'pwd',
    'ls -la',
    'rename größe.dat level.dat',
    'ln level.dat hard.dat',
    'ln -s level.dat soft.dat',
    'get soft.dat back',
    'chmod 600 level.dat',
    'rm hard.dat',
    'df',
    'mkdir empty',
    'rmdir empty',
  ])
  expect(output).toContain('/world')
  expect(output).toContain('größe.dat')
  expect(ok).toBe(true)
  expect(await readFile(join(files.folder, 'back'))).toEqual(bytes)
  const level = await stat(join(files.data, 'world/level.dat'))
  expect(level.mode & 0o777).toBe(0o600)
  expect(Math.floor(level.mtimeMs / 1000)).toBe(
    Math.floor((await stat(join(files.folder, 'local'))).mtimeMs / 1000),
  )
  if (process.getuid?.() === 0) expect(level.uid).toBe(UID)
  expect(await readlink(join(files.data, 'world/soft.dat'))).toBe('level.dat')
  expect((await readdir(join(files.data, 'world'))).toSorted()).toEqual(['level.dat', 'soft.dat'])
})

test('an interrupted upload and download go on where they stopped', async () => {
  const bytes = randomBytes(400_000)
  await writeFile(join(files.folder, 'whole'), bytes)
  await sftp(files, ['put whole part'])
  await truncate(join(files.data, 'part'), 100_000)
  await writeFile(join(files.folder, 'got'), bytes.subarray(0, 50_000))
  expect((await sftp(files, ['reput whole part', 'reget part got'])).ok).toBe(true)
  expect(await readFile(join(files.data, 'part'))).toEqual(bytes)
  expect(await readFile(join(files.folder, 'got'))).toEqual(bytes)
})

test('what a client appends comes after what the server has appended meanwhile', async () => {
  await files.put('/latest.log', 'begun\n')
  const log = join(files.data, 'latest.log')
  await using stream = await openSftp(files)
  const answers = packetsOf(stream)
  const ask = async (type: number, ...fields: Buffer[]): Promise<PacketReader> => {
    stream.write(packet(type, field.uint32(1), ...fields))
    const [answer = expect.fail()] = (await answers.next()).value ?? []
    const reader = new PacketReader(answer)
    reader.byte()
    reader.uint32()
    return reader
  }
  const [writes, appends, noAttributes] = [2, 4, field.uint32(0)]
  const opened = field.uint32(writes | appends)
  stream.write(packet(REQUEST.init, field.uint32(3)))
  await answers.next()
  const handle = (await ask(REQUEST.open, field.text('/latest.log'), opened, noAttributes)).bytes()
  const append = async (text: string): Promise<void> => {
    const fields = [field.text(handle), field.uint64(0), field.text(text)]
    expect((await ask(REQUEST.write, ...fields)).uint32()).toBe(STATUS.ok)
  }
  await append('sent\n')
  await appendFile(log, 'said by the server\n')
  await append('sent too\n')
  expect(await readFile(log, 'utf8')).toBe('begun\nsent\nsaid by the server\nsent too\n')
  await truncate(log)
  await append('after a truncation\n')
  expect(await readFile(log, 'utf8')).toBe('after a truncation\n')
})

test('the rules of a collaborator close folders, whatever way the path takes', async () => {
  await files.put('/plugins/config.yml', 'mine')
  await files.put('/secret/keys', 'the secret')
  await files.put('/docs/read.me', 'read')
  await symlink('../secret/keys', join(files.data, 'plugins/way'))
  const rules = [
    { path: '/secret', access: 'none' },
    { path: '/docs', access: 'read' },
  ] as const
  const narrowed = { rules: [...rules] }
  const refused = [
    'get secret/keys x',
    'get plugins/way x',
    'ls secret',
    'ln secret/keys plugins/keys',
    'ln docs/read.me plugins/read.me',
    'put local docs/read.me',
    'rm docs/read.me',
    'chmod 777 docs/read.me',
    'rename secret plugins/secret',
    'rename docs plugins/docs',
    'mkdir secret/more',
    'put local plugins/way',
  ]
  for (const command of refused) {
    const { ok, output } = await sftp(files, [command], narrowed)
    expect(`${command}: ${ok}`).toBe(`${command}: false`)
    expect(output).not.toContain('the secret')
  }
  const allowed = ['get docs/read.me x', 'put local plugins/config.yml', 'ls -la /']
  const { ok, output } = await sftp(files, allowed, narrowed)
  expect(ok).toBe(true)
  expect(output).not.toContain('secret')
  expect(await readFile(join(files.data, 'secret/keys'), 'utf8')).toBe('the secret')
})

test('whoever may only read changes nothing, and whoever may not delete deletes nothing', async () => {
  await files.put('/kept', 'kept')
  for (const command of ['put local new', 'put local kept', 'mkdir x', 'rm kept', 'chmod 777 kept'])
    expect((await sftp(files, [command], { may: ['read'] })).ok).toBe(false)
  expect((await sftp(files, ['rm kept'], { may: ['read', 'write'] })).ok).toBe(false)
  expect((await sftp(files, ['get kept x'], { may: ['write'] })).ok).toBe(false)
  expect((await sftp(files, ['get kept x'], { may: ['read'] })).ok).toBe(true)
  expect(await readFile(join(files.data, 'kept'), 'utf8')).toBe('kept')
})

test('the hidden folder and what lies outside of the server cannot be reached', async () => {
  await writeFile(join(files.folder, 'outside'), 'OUTSIDE')
  await symlink(join(files.folder, 'outside'), join(files.data, 'absolute'))
  await symlink('../outside', join(files.data, 'relative'))
  const paths = ['absolute', 'relative', '../outside', '/proc/self/environ', '.lodge/trash']
  for (const path of paths) expect((await sftp(files, [`get ${path} x`])).ok).toBe(false)
  for (const command of ['put local relative', 'put local .lodge/x', 'ls .lodge', 'rmdir .lodge'])
    expect((await sftp(files, [command])).ok).toBe(false)
  expect((await sftp(files, ['ls -la /'])).output).not.toContain('.lodge')
  expect(await readFile(join(files.folder, 'outside'), 'utf8')).toBe('OUTSIDE')
})

test('an upload beyond the disk limit is refused, in holes too, and deleting gives room', async () => {
  await files.killHelper()
  files.facts = { limitBytes: 4_000_000, usedBytes: 0 }
  await writeFile(join(files.folder, 'big'), Buffer.alloc(3_000_000))
  expect((await sftp(files, ['put big one'])).ok).toBe(true)
  const { ok, output } = await sftp(files, ['put big two'])
  expect(ok).toBe(false)
  expect(output).toMatch(/room left on the disk|Failure/)
  expect((await sftp(files, ['rm one', 'rm two', 'put big three'])).ok).toBe(true)
  await files.killHelper()
})

test('what is no SFTP ends the connection, and nothing else', async () => {
  const garbage = [
    randomBytes(64),
    Buffer.from([0, 0, 0, 0]),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 1]),
  ]
  const short = Buffer.from([0, 0, 0, 5, 3, 0, 0, 0, 1])
  for (const bytes of [...garbage, short]) {
    const stream = await openSftp(files)
    stream.on('error', () => undefined)
    stream.resume()
    const closed = once(stream, 'close')
    stream.write(bytes)
    stream.end()
    await closed
  }
  expect((await sftp(files, ['ls'])).ok).toBe(true)
})

test('no race of renames and links leads an SFTP client out of the folder of a server', async () => {
  const raced = await FileFixture.open()
  raced.openly()
  const outside = join(raced.folder, 'outside')
  await mkdir(join(outside, 'victim'), { recursive: true })
  for (const path of ['secret', 'victim/file'])
    await writeFile(join(outside, path), 'the OUTSIDE secret')
  if (process.getuid?.() === 0)
    for (const path of ['', 'secret', 'victim', 'victim/file'])
      await chown(join(outside, path), UID, UID)
  await writeFile(join(raced.folder, 'local'), 'overwritten')
  const { ino, size, mode, mtimeMs } = await lstat(join(outside, 'secret'))
  const attacker = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('./testing/swap.ts')), raced.data, outside],
    { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid: UID, gid: UID }) },
  )
  const round = [
    '-get swap/secret got',
    '-put -p local swap/secret',
    '-reput local swap/secret',
    '-reget swap/secret got',
    '-get -R swap whole',
    '-put local swap/new',
    '-chmod 777 swap/secret',
    '-rm swap/secret',
    '-rename swap/victim taken',
    '-rename source swap/put',
    '-put local source',
    '-ln swap/secret stolen',
    '-ln -s secret swap/soft',
    '-ls -la swap/soft',
    '-rm swap/soft',
    '-df swap',
    '-cd swap',
    '-ls -la victim',
    '-cd /',
    '-get stolen got2',
    '-mkdir swap/made',
    '-rmdir swap/victim',
    '-ls swap',
  ]
  const endsAt = performance.now() + lengthOf('LODGE_FILE_RACE_SECONDS') * 1000
  let seen = ''
  while (performance.now() < endsAt) {
    const { output } = await sftp(raced, Array.from({ length: 20 }, () => round).flat())
    const got = ['got', 'got2'].map((name) =>
      readFile(join(raced.folder, name), 'utf8').catch(() => ''),
    )
    seen += output + (await Promise.all(got)).join('')
  }
  attacker.kill('SIGKILL')
  await once(attacker, 'exit')
  expect(seen).not.toContain('OUTSIDE')
  // Some attempts were let through, into the folder that belongs to the server.
  expect(seen).toContain('mine')
  expect((await readdir(outside, { recursive: true })).toSorted()).toEqual([
    'secret',
    'victim',
    'victim/file',
  ])
  expect(await lstat(join(outside, 'secret'))).toMatchObject({ ino, size, mode, mtimeMs })
  await raced.close()
})
