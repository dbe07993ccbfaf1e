import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numbersIn } from './data/numbers.ts'
import { readRecord, writeRecord } from './data/record.ts'
import { asDriverError, EngineError } from './engine/client.ts'
import { exitOf } from './engine/exit.ts'
import { settingsOf } from './engine/options.ts'
import { aptSources } from './images/apt-sources.ts'
import { buildLock, makeBuild, sweepBuilds } from './images/builds.ts'
import { holdingLock } from './images/lock.ts'
import { parseReference } from './images/reference.ts'
import { networksInPool, subnet } from './network/network.ts'
import { frameReader, lastLines } from './output/frames.ts'
import { openInstallLog, readInstallLog } from './output/install-log.ts'

let folder: string
const life = new AbortController().signal

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodge-parts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('an image reference', () => {
  it.each([
    ['busybox', 'docker.io', 'busybox', 'latest'],
    ['games/server:1.2', 'docker.io', 'games/server', '1.2'],
    ['ghcr.io/games/server:1', 'ghcr.io', 'ghcr.io/games/server', '1'],
    ['registry.example:5000/a/b', 'registry.example:5000', 'registry.example:5000/a/b', 'latest'],
    ['localhost/a:x', 'localhost', 'localhost/a', 'x'],
    [`quay.io/a/b@sha256:${'0'.repeat(64)}`, 'quay.io', 'quay.io/a/b', `sha256:${'0'.repeat(64)}`],
  ])('%s names its registry', (text, host, repository, version) => {
    expect(parseReference(text)).toEqual({ host, repository, version })
  })
})

describe('output framing', () => {
  const frame = (text: string, stream = 1) => {
    const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0])
    head.writeUInt32BE(Buffer.byteLength(text), 4)
    return Buffer.concat([head, Buffer.from(text)])
  }

  it.each([1, 2, 7, 8, 9, 1000])(
    'is removed when the stream arrives in chunks of %i bytes',
    (size) => {
      const all = Buffer.concat([
        frame('one\n'),
        frame(''),
        frame('two\n', 2),
        frame('x'.repeat(500)),
      ])
      let text = ''
      const read = frameReader(false, (chunk) => {
        text += chunk.toString()
      })
      for (let at = 0; at < all.length; at += size) read(all.subarray(at, at + size))
      expect(text).toBe(`one\ntwo\n${'x'.repeat(500)}`)
    },
  )

  it('is absent with a terminal', () => {
    const seen: string[] = []
    frameReader(true, (chunk) => seen.push(chunk.toString()))(Buffer.from('as it is'))
    expect(seen).toEqual(['as it is'])
  })

  it('keeps the newest lines', () => {
    expect(lastLines('a\r\nb\nc\n', 2)).toEqual(['b', 'c'])
    expect(lastLines('a\nb', 5)).toEqual(['a', 'b'])
    expect(lastLines('', 5)).toEqual([])
  })
})

describe('the address pool', () => {
  it('is split into blocks that do not overlap', () => {
    expect(subnet('10.213.0.0/16', 1)).toBe('10.213.0.16/28')
    expect(subnet('10.213.0.0/16', 17)).toBe('10.213.1.16/28')
    expect(subnet('10.213.200.7/16', 4095)).toBe('10.213.255.240/28')
    expect(networksInPool('10.213.0.0/16')).toBe(4095)
  })
})

describe('the settings', () => {
  const good = { socketPath: '/run/docker.sock', dataRoot: '/var/lib/lodge' }
  it('have defaults, even for options given as undefined', () => {
    expect(settingsOf({ ...good, networkPrefix: undefined })).toMatchObject({
      networkPrefix: 'lodge',
    })
  })
  it.each([
    { dataRoot: 'relative' },
    { networkPrefix: 'toolongprefix' },
    { networkPrefix: '"; drop' },
    { labelScope: 'A B' },
    { subnetPool: '10.0.0.0' },
    { uidBase: 0 },
  ])('refuse %o', (wrong) => {
    expect(() => settingsOf({ ...good, ...wrong })).toThrow(TypeError)
  })
})

describe('an exit code', () => {
  it('encodes the signal that ended the process', () => {
    const at = new Date()
    expect(exitOf(143, false, at)).toEqual({ code: 143, signal: 'SIGTERM', outOfMemory: false, at })
    expect(exitOf(139, false, at).signal).toBe('SIGSEGV')
    expect(exitOf(1, false, at).signal).toBeNull()
    expect(exitOf(255, false, at).signal).toBeNull()
  })
})

describe('an engine error', () => {
  it.each([
    [
      'driver failed programming external connectivity: Bind for 0.0.0.0:25565 failed: port is already allocated',
      '25565',
    ],
    [
      'Error starting userland proxy: listen tcp4 127.0.0.1:8080: bind: address already in use',
      '8080',
    ],
    ['ports are not available: exposing port TCP 0.0.0.0:80 -> 127.0.0.1:0', '80'],
  ])('about a taken port is understood', (text, port) => {
    expect(asDriverError(new EngineError(500, text, null))).toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(port),
      retryable: true,
    })
  })
  it('about a full disk is recognized', () => {
    const error = asDriverError(new EngineError(500, 'write /x: no space left on device', null))
    expect(error).toMatchObject({ code: 'disk_full' })
  })
})

describe('numbers', () => {
  it('are allocated once, even by concurrent processes, and again after a release', async () => {
    const place = join(folder, 'numbers')
    const [one, two] = [numbersIn(place, 100), numbersIn(place, 100)]
    const ids = Array.from({ length: 30 }, (_, index) => `server-${index}`)
    const taken = await Promise.all(ids.map((id, index) => (index % 2 ? one : two).take(id)))
    expect(new Set(taken).size).toBe(30)
    expect(await numbersIn(place, 100).take('server-7')).toBe(taken[7])
    await one.release('server-7')
    expect(await numbersIn(place, 100).take('another')).toBe(taken[7])
  })
  it('are refused when none is left', async () => {
    const few = numbersIn(join(folder, 'few'), 1)
    await few.take('a')
    await expect(few.take('b')).rejects.toMatchObject({ code: 'start_failed' })
  })
})

describe('the record of a server', () => {
  it('survives a round trip, and counts as absent when damaged', async () => {
    const path = join(folder, 'record.json')
    const record = { serverId: 'a', generation: 2, run: 3, fingerprint: 'f', uid: 200_001 }
    await writeRecord(path, record)
    expect(await readRecord(path)).toEqual(record)
    await writeFile(path, '{"serverId":')
    expect(await readRecord(path)).toBeNull()
  })
})

describe('the lock of a build', () => {
  it('admits one at a time, whatever a reboot has left of it', async () => {
    const file = join(folder, 'lock')
    await writeFile(file, '')
    let inside = 0
    let most = 0
    const work = () =>
      holdingLock(file, life, async () => {
        inside += 1
        most = Math.max(most, inside)
        await readdir(folder)
        inside -= 1
      })
    await Promise.all([work(), work(), work()])
    expect(most).toBe(1)
  })
  it('is no longer waited for once the work is cancelled', async () => {
    const file = join(folder, 'held')
    await holdingLock(file, life, async () => {
      const stop = new AbortController()
      const work = holdingLock(file, stop.signal, async () => 1)
      stop.abort(new Error('enough'))
      await expect(work).rejects.toThrow('enough')
    })
  })
  it('tells what killed builds left from what others build, also in another process', async () => {
    const images = join(folder, 'images')
    await mkdir(images)
    const [killed, other] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string]
    const program = `
      import { holdingLock } from '${import.meta.dirname}/images/lock.ts'
      await holdingLock('${buildLock(images, other)}', new AbortController().signal, async () => {
        process.send('held')
        await new Promise((resolve) => setInterval(resolve, 2 ** 30))
      })`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const ended = once(child, 'exit')
    await once(child, 'message')
    await mkdir(join(await makeBuild(images, killed), 'root'))
    await mkdir(join(images, 'build-Ab12_z'))
    await utimes(join(images, 'build-Ab12_z'), 0, 0)
    const built = await makeBuild(images, other)
    const folders = async () => (await readdir(images)).filter((name) => name.startsWith('build-'))
    await sweepBuilds(images)
    expect(await folders()).toEqual([basename(built)])
    child.kill('SIGKILL')
    await ended
    await sweepBuilds(images)
    expect(await folders()).toEqual([])
    await holdingLock(buildLock(images, other), life, async () => {})
  })
})

describe('the package sources of this machine', () => {
  it('are read from both file formats, for the suite and Debian only', async () => {
    const apt = join(folder, 'apt')
    await mkdir(join(apt, 'sources.list.d'), { recursive: true })
    await writeFile(
      join(apt, 'sources.list'),
      '# deb http://no.example/debian bookworm main\ndeb [arch=amd64] http://one.example/debian bookworm main contrib\n',
    )
    await writeFile(
      join(apt, 'sources.list.d', 'debian.sources'),
      'Types: deb\n# a word\nURIs: http://two.example/debian-security\nSuites: bookworm-security\nComponents: main\n\nTypes: deb\nURIs: http://off.example\nSuites: bookworm\nComponents: main\nEnabled: no\n',
    )
    await writeFile(
      join(apt, 'sources.list.d', 'other.list'),
      'deb https://other.example stable main\n',
    )
    expect(await aptSources('bookworm', apt)).toEqual([
      'deb http://one.example/debian bookworm main',
      'deb http://two.example/debian-security bookworm-security main',
    ])
    expect(await aptSources('bookworm', join(folder, 'nothing'))).toEqual([
      'deb http://deb.debian.org/debian bookworm main',
    ])
  })
})

describe('the log of an installer', () => {
  it('masks secrets split across chunks, and reads back the newest lines', async () => {
    const path = join(folder, 'install.log')
    const seen: string[] = []
    const log = openInstallLog(path, ['s3cret-value', '1'], (lines) => seen.push(...lines))
    for (const piece of ['first 1\nthe s3c', 'ret-va', 'lue is here\nno end'])
      log.write(Buffer.from(piece))
    await log.close()
    expect(seen).toEqual(['first 1', 'the *** is here', 'no end'])
    expect(await readInstallLog(path, 2)).toEqual(['the *** is here', 'no end'])
    expect(await readFile(path, 'utf8')).not.toContain('s3cret')
  })
  it('keeps the newest part of very long output', async () => {
    const path = join(folder, 'long.log')
    const log = openInstallLog(path, [], () => {})
    const line = 'x'.repeat(1023)
    for (let index = 0; index < 9000; index += 1) log.write(Buffer.from(`${line}\n`))
    log.write(Buffer.from('the end\n'))
    await log.close()
    const names = await readdir(folder)
    expect(names.filter((name) => name.startsWith('long.log')).length).toBeLessThanOrEqual(2)
    expect((await readInstallLog(path, 1))[0]).toBe('the end')
  })
})

describe('a program', () => {
  it('receives its arguments unchanged', async () => {
    const odd = '$(id) `id`; "x" \'y\' | & *'
    expect(await runProgram('printf', ['%s', odd])).toEqual({ code: 0, output: odd })
  })
  it('that does not exist yields null and a reason', async () => {
    expect(await runProgram('/no/such/program', [])).toMatchObject({
      code: null,
      output: expect.stringContaining('ENOENT'),
    })
  })
  it('is killed with everything it started', async () => {
    const stop = new AbortController()
    let child = 0
    const work = runProgram('sh', ['-c', 'sleep 1000 & echo $!; wait'], {
      signal: stop.signal,
      onLine: (line) => {
        child = Number(line)
        stop.abort(new Error('enough'))
      },
    })
    await expect(work).rejects.toThrow('enough')
    // Gone, or a zombie.
    const state = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '0 (sleep) Z ')
    expect(state).toMatch(/\) Z /)
  })
  it('is killed at its deadline', async () => {
    const { code } = await runProgram('sleep', ['1000'], { deadlineMs: 50 })
    expect(code).toBeNull()
  })
})
