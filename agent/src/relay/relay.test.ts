import { randomUUID } from 'node:crypto'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { AgentFixture, specText } from '../testing/agent.fixture.ts'

interface Reader {
  readonly socket: WebSocket
  readonly texts: { type: string; [field: string]: unknown }[]
  output(): string
  bytes(): number
  until(what: string, condition: () => boolean): Promise<void>
}

describe('a relay', () => {
  let fixture: AgentFixture
  let serverId: string
  const readers: Reader[] = []

  beforeEach(async () => {
    fixture = await AgentFixture.open()
    serverId = randomUUID()
    const desired = fixture.fleet.setDesired({
      serverId,
      run: 1,
      power: 2,
      containerSpec: specText(),
    })
    await fixture.start()
    await fixture.fleet.settled(desired)
    await fixture.fleet.state(serverId, 'running')
  })
  afterEach(async () => {
    for (const { socket } of readers.splice(0)) socket.terminate()
    await fixture.close()
  })

  /** Requests a console from the agent and connects a real WebSocket client to what it opens. */
  async function open(change: Partial<RelayOpen> = {}, acknowledges = true): Promise<Reader> {
    const ticket = randomUUID()
    const dialled = new Promise<Duplex>((resolve) => fixture.fleet.relays.set(ticket, resolve))
    const value = {
      sessionId: randomUUID(),
      serverId,
      kind: 'console',
      ticket,
      mayWrite: true,
      address: '',
      person: '',
      ...change,
    }
    fixture.fleet.send({ $case: 'relayOpen', value })
    const agent = await dialled
    const server = net.createServer((browser) => {
      browser.on('error', () => agent.destroy())
      agent.on('close', () => browser.destroy())
      browser.pipe(agent).pipe(browser)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address() as net.AddressInfo
    const socket = new WebSocket(`ws://127.0.0.1:${address.port}/relay/console`, [
      'lodge.console.v1',
    ])
    const texts: Reader['texts'] = []
    let output = ''
    let bytes = 0
    const looks = new Set<() => void>()
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        output = (output + data.toString()).slice(-100_000)
        bytes += data.byteLength
        if (acknowledges) socket.send(JSON.stringify({ type: 'ack', bytes: data.byteLength }))
      } else texts.push(JSON.parse(data.toString()))
      for (const look of looks) look()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => server.close())
    const reader: Reader = {
      socket,
      texts,
      output: () => output,
      bytes: () => bytes,
      until: (what, condition) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`It never came: ${what}`)), 20_000)
          socket.setMaxListeners(0)
          socket.once('close', () => reject(new Error(`It was closed before: ${what}`)))
          const look = () => {
            if (!condition()) return
            clearTimeout(timer)
            looks.delete(look)
            resolve()
          }
          looks.add(look)
          look()
        }),
    }
    readers.push(reader)
    await reader.until('the replay', () => texts.some(({ type }) => type === 'replayed'))
    return reader
  }

  it('shows past output, then new output, and accepts commands', async () => {
    const reader = await open()
    expect(reader.socket.protocol).toBe('lodge.console.v1')
    expect(reader.texts[0]).toEqual({ type: 'state', state: 'running' })
    expect(reader.output()).toBe('ready\n')
    fixture.driver.print(serverId, 'something new\n')
    await reader.until('new output', () => reader.output().endsWith('something new\n'))
    reader.socket.send(JSON.stringify({ type: 'command', line: 'say hello\r\nop me\u0000' }))
    await expect.poll(() => fixture.driver.inputs(serverId)).toEqual(['say helloop me'])
  })

  it('shows a command to every reader, before the answer of the program', async () => {
    const [reader, other] = [await open(), await open({ mayWrite: false })]
    reader.socket.send(JSON.stringify({ type: 'command', line: 'list' }))
    await expect.poll(() => fixture.driver.inputs(serverId)).toEqual(['list'])
    fixture.driver.print(serverId, 'nobody is here\n')
    for (const { until, output } of [reader, other]) {
      await until('the answer', () => output().includes('nobody is here'))
      expect(output()).toMatch(/^ready\n> list\r\nnobody is here\n$/)
    }
  })

  it('says beside a command who has sent it, whatever the name is made of', async () => {
    const [reader, other] = [await open({ person: 'ann@example.com' }), await open()]
    reader.socket.send(JSON.stringify({ type: 'command', line: 'list' }))
    await other.until('the command', () => other.output().includes('> list'))
    expect(other.output()).toContain('> list  \u001b[90mann@example.com\u001b[0m\r\n')
    const rogue = await open({ person: 'b\u001b[2J\r\nob' })
    rogue.socket.send(JSON.stringify({ type: 'command', line: 'stop' }))
    await other.until('its command', () => other.output().includes('> stop'))
    expect(other.output()).toContain('> stop  \u001b[90mb[2Job\u001b[0m\r\n')
  })

  it('rejects commands from view-only readers and rate-limits those of others', async () => {
    const reader = await open({ mayWrite: false })
    reader.socket.send(JSON.stringify({ type: 'command', line: 'stop' }))
    await reader.until('a refusal', () => reader.texts.some(({ type }) => type === 'notice'))
    expect(fixture.driver.inputs(serverId)).toEqual([])
    const writer = await open()
    for (let index = 0; index < 60; index += 1) {
      writer.socket.send(JSON.stringify({ type: 'command', line: `line ${index}` }))
    }
    const refused = () => writer.texts.filter(({ type }) => type === 'notice').length
    await writer.until('refusals', () => refused() + fixture.driver.inputs(serverId).length === 60)
    expect(fixture.driver.inputs(serverId).length).toBeLessThanOrEqual(25)
  })

  it('does not let a stalled reader slow others, and tells it how much it missed', async () => {
    const still = await open({}, false)
    const quick = await open()
    const line = `${'x'.repeat(1_023)}\n`
    const before = quick.bytes()
    const total = 2 * 1024
    for (let index = 0; index < total; index += 1) {
      fixture.driver.print(serverId, line)
      if (index % 64 === 0)
        await quick.until('the quick one keeps up', () => quick.bytes() - before >= index * 1024)
    }
    await quick.until('everything', () => quick.bytes() - before >= total * 1024)
    expect(quick.texts.some(({ type }) => type === 'missed')).toBe(false)
    expect(still.bytes()).toBeLessThanOrEqual(256 * 1024 + 32 * 1024)
    still.socket.send(JSON.stringify({ type: 'ack', bytes: still.bytes() }))
    await still.until('the gap is named', () => still.texts.some(({ type }) => type === 'missed'))
    const missed = still.texts.find(({ type }) => type === 'missed')
    expect(Number(missed?.bytes)).toBeGreaterThan(1024 * 1024)
  })

  it('sends state changes and the exit', async () => {
    const reader = await open()
    fixture.fleet.setDesired({ serverId, power: 1 })
    await reader.until('the end', () => reader.texts.some(({ type }) => type === 'exit'))
    await reader.until('the state', () => reader.texts.some(({ state }) => state === 'stopped'))
  })

  it('shows output from before the agent was restarted', async () => {
    fixture.driver.print(serverId, 'said before\n')
    await fixture.stop()
    await fixture.start()
    await fixture.fleet.until('another inventory', () => fixture.fleet.inventories.length >= 2)
    fixture.driver.print(serverId, 'said after\n')
    const reader = await open()
    expect(reader.output().split(/\r?\n/)).toEqual(['ready', 'said before', 'said after', ''])
  })

  it('closes for a server that is not on this node', async () => {
    await expect(open({ serverId: randomUUID() })).rejects.toThrow(/closed before/)
  })

  it('shows the log of an installation in progress', async () => {
    const id = randomUUID()
    fixture.driver.knobs.installDelayMs = 600_000
    fixture.driver.knobs.installOutput = ['fetching', 'with the key s3cret-value']
    const install = {
      image: { kind: 'registry', reference: 'x' },
      interpreter: ['sh'],
      script: '',
      environment: { KEY: 's3cret-value' },
    }
    fixture.fleet.setDesired({
      serverId: id,
      install: 1,
      containerSpec: specText({
        install,
        secretNames: ['KEY'],
        environment: { KEY: 's3cret-value' },
      }),
    })
    await fixture.fleet.state(id, 'installing')
    await fixture.fleet.until('progress', () =>
      fixture.fleet.said.some((said) => said.$case === 'serverProgress'),
    )
    const reader = await open({ serverId: id, kind: 'install_log' })
    expect(reader.output()).toContain('fetching')
    expect(reader.output()).not.toContain('s3cret')
  })
})
