import net from 'node:net'
import { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { specText } from '../../testing/agent.fixture.ts'
import { type Verdict, watchProof } from './readiness-probe.ts'

const servers: net.Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

describe('a readiness probe', () => {
  function watch(
    proofOfLife: object,
    more: { ports?: object[]; earlier?: string[]; started?: Promise<void> } = {},
  ) {
    const spec = ContainerSpec.parse(JSON.parse(specText({ proofOfLife, ports: more.ports ?? [] })))
    let hear: (chunk: Uint8Array) => void = () => undefined
    const verdicts: Verdict[] = []
    const first = Promise.withResolvers<Verdict>()
    const stop = watchProof({
      spec,
      clock: systemClock,
      started: more.started ?? Promise.resolve(),
      earlierLines: more.earlier ?? [],
      listen: (listener) => {
        hear = listener
        return () => {
          hear = () => undefined
        }
      },
      decided(verdict) {
        verdicts.push(verdict)
        first.resolve(verdict)
      },
    })
    return {
      say: (text: string) => hear(Buffer.from(text)),
      verdict: first.promise,
      verdicts,
      stop,
    }
  }
  const pattern = (kind: string, value: string) => ({
    patterns: [{ kind, value }],
    timeoutSeconds: 2,
  })

  it('matches a line of output, however it is chunked or coloured', async () => {
    const watched = watch(pattern('text', 'Server started'))
    watched.say('loading\rloading 50 %\rServer ')
    watched.say('\u001b[32mstarted\u001b[0m in 3 s\n')
    expect(await watched.verdict).toBe('alive')
  })

  it('matches a prompt that has no line end', async () => {
    const watched = watch(pattern('regex', '^> $'))
    watched.say('> ')
    expect(await watched.verdict).toBe('alive')
  })

  it('matches expressions in linear time, and ignores an invalid one', async () => {
    const evil = watch(pattern('regex', '^(a+)+$'))
    evil.say(`${'a'.repeat(4_000)}!\n`)
    const begin = performance.now()
    expect(await evil.verdict).toBe('timeout')
    expect(performance.now() - begin).toBeLessThan(5_000)
    expect(await watch(pattern('regex', '(?<broken')).verdict).toBe('timeout')
  })

  it('accepts output from before the agent started', async () => {
    expect(await watch(pattern('text', 'ready'), { earlier: ['ready'] }).verdict).toBe('alive')
  })

  it('counts only once the engine reports the workload as running', async () => {
    const started = Promise.withResolvers<void>()
    const watched = watch(pattern('text', 'ready'), { started: started.promise })
    watched.say('ready\n')
    await new Promise((resolve) => setImmediate(resolve))
    expect(watched.verdicts).toEqual([])
    started.resolve()
    expect(await watched.verdict).toBe('alive')
  })

  it('accepts a port that holds a connection, not one that closes it at once', async () => {
    let hangUp = true
    const server = net.createServer((socket) => {
      if (hangUp) socket.end()
      hangUp = false
      socket.on('error', () => undefined)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as net.AddressInfo
    const ports = [
      { hostAddress: '0.0.0.0', hostPort: port, containerPort: 25_565, protocol: 'tcp' },
    ]
    const begin = performance.now()
    expect(await watch({ tcpPort: 25_565, timeoutSeconds: 10 }, { ports }).verdict).toBe('alive')
    expect(performance.now() - begin).toBeGreaterThan(500)
    expect(hangUp).toBe(false)
  })

  it('requires the workload to stay up when nothing else is configured', async () => {
    const begin = performance.now()
    expect(await watch({ stayUpSeconds: 1, timeoutSeconds: 5 }).verdict).toBe('alive')
    expect(performance.now() - begin).toBeGreaterThan(990)
  })

  it('decides once, and never after it was cancelled', async () => {
    const twice = watch(pattern('text', 'ready'))
    twice.say('ready\nready\n')
    twice.say('ready\n')
    await twice.verdict
    expect(twice.verdicts).toEqual(['alive'])
    const off = watch({ stayUpSeconds: 0, timeoutSeconds: 1 })
    off.stop()
    const other = watch({ stayUpSeconds: 1, timeoutSeconds: 2 })
    await other.verdict
    expect(off.verdicts).toEqual([])
  })
})
