import { describe, expect, it } from 'vitest'
import { ContainerSpec } from '../container-spec.ts'
import { TemplateDocument, type TemplateDocumentInput } from './document.ts'
import {
  containerSpecOf,
  plannedMemoryMb,
  portsNeeded,
  type ResolvedServer,
  TemplateValueError,
  variableFaults,
} from './resolve.ts'

const input: TemplateDocumentInput = {
  format: 'lodge/v1',
  name: 'Test',
  kind: 'container',
  runtime: {
    images: [
      { name: 'one', source: { kind: 'registry', reference: 'example.org/one:1' } },
      { name: 'two', source: { kind: 'debian', suite: 'bookworm', packages: ['busybox'] } },
    ],
    startup: {
      kind: 'argv',
      command: ['/bin/run', '--name={{MOTD}}', '{{server.port}}', '{{unknown.thing}}'],
    },
    environment: { HOME: '/data', GREETING: 'hello {{MOTD}}' },
    dataPath: '/data',
    proofOfLife: {
      patterns: [{ kind: 'text', value: 'port {{SERVER_PORT}}' }],
      tcpPort: 'primary',
    },
    stop: [{ kind: 'command', text: 'say {{MOTD}}', timeoutSeconds: 10 }],
    configFiles: [
      { path: 'server.conf', parser: 'file', edits: [{ match: 'motd', value: 'motd={{MOTD}}' }] },
      {
        path: '{{WORLD}}/world.ini',
        parser: 'ini',
        edits: [{ match: 'a.b', value: '{{server.memory}}' }],
      },
    ],
    install: {
      image: { kind: 'registry', reference: 'debian:12' },
      interpreter: ['/bin/sh'],
      script: 'echo {{MOTD}}',
    },
    port: { protocol: 'tcp', containerPort: 80 },
    extraPorts: [{ label: 'query', protocol: 'udp' }],
    memoryOverheadMb: 512,
  },
  variables: [
    { name: 'Message', env: 'MOTD', default: 'hi', rules: [{ rule: 'max', value: 64 }] },
    { name: 'World', env: 'WORLD', default: 'world' },
    { name: 'Password', env: 'RCON_PASSWORD', secret: true },
  ],
}
const document = TemplateDocument.parse(input)

const server = (changes: Partial<ResolvedServer> = {}): ResolvedServer => ({
  id: '3f0c3f0c-0000-4000-8000-000000000000',
  name: 'My server',
  variables: {},
  memoryMb: 4096,
  cpuPercent: 200,
  diskMb: 10_240,
  ports: [
    { offset: 0, hostPort: 30_000, container: 80, protocol: 'tcp' },
    { offset: 1, hostPort: 30_001, container: 30_001, protocol: 'both' },
  ],
  address: '203.0.113.7',
  timeZone: 'Europe/Berlin',
  ...changes,
})

describe('a resolved server', () => {
  const spec = containerSpecOf(document, server())

  it('is a specification with everything filled in', () => {
    expect(ContainerSpec.parse(spec)).toEqual(spec)
    expect(spec.command).toEqual(['/bin/run', '--name=hi', '80', '{{unknown.thing}}'])
    expect(spec.environment).toEqual({
      HOME: '/data',
      GREETING: 'hello hi',
      MOTD: 'hi',
      WORLD: 'world',
      RCON_PASSWORD: '',
      TZ: 'Europe/Berlin',
      SERVER_IP: '0.0.0.0',
      SERVER_PORT: '80',
      SERVER_PORT_1: '30001',
      SERVER_MEMORY: '3584',
      P_SERVER_UUID: server().id,
    })
    expect(spec.secretNames).toEqual(['RCON_PASSWORD'])
    expect(spec.proofOfLife).toMatchObject({
      patterns: [{ kind: 'text', value: 'port 80' }],
      tcpPort: 80,
    })
    expect(spec.configFiles[1]).toMatchObject({
      path: 'world/world.ini',
      edits: [{ match: 'a.b', value: '3584' }],
    })
    expect(spec.install?.script).toBe('echo {{MOTD}}')
    expect(spec.install?.environment).toMatchObject({ MOTD: 'hi', SERVER_PORT: '80' })
    expect(spec.install?.environment).not.toHaveProperty('HOME')
    expect(spec.ports).toEqual([
      { hostAddress: '0.0.0.0', hostPort: 30_000, containerPort: 80, protocol: 'tcp' },
      { hostAddress: '0.0.0.0', hostPort: 30_001, containerPort: 30_001, protocol: 'tcp' },
      { hostAddress: '0.0.0.0', hostPort: 30_001, containerPort: 30_001, protocol: 'udp' },
    ])
  })

  it('uses the chosen image and refuses one that the template does not have', () => {
    expect(containerSpecOf(document, server({ image: 'two' })).image.kind).toBe('debian')
    expect(() => containerSpecOf(document, server({ image: 'evil/image' }))).toThrow(
      TemplateValueError,
    )
  })

  it.each([
    '; rm -rf /',
    '$(id)',
    '`id`',
    '&& id',
    '| id',
    '> /etc/passwd',
    '"quoted" \'single\'',
    'a b\tc',
    '*?[!a]',
    '\\n\\',
    '-flag',
    '{{SERVER_PORT}}',
    '$HOME',
    '%s%n',
    'ünïcödé 🎮',
  ])('passes the value %j to its argument unchanged', (value) => {
    const { command, environment } = containerSpecOf(
      document,
      server({ variables: { MOTD: value } }),
    )
    expect(command[1]).toBe(`--name=${value}`)
    expect(command).toHaveLength(4)
    expect(environment.MOTD).toBe(value)
  })

  it('keeps line ends of a value out of console commands and line-based files', () => {
    const { stop, configFiles } = containerSpecOf(
      document,
      server({ variables: { MOTD: 'a\nop me\r\nb' } }),
    )
    expect(stop[0]).toMatchObject({ text: 'say a op me b' })
    expect(configFiles[0]?.edits[0]?.value).toBe('motd=a op me b')
  })

  it.each(['../other', '/etc', 'a/../../b', 'a//b'])(
    'refuses the file path that %j would produce',
    (WORLD) => {
      expect(() => containerSpecOf(document, server({ variables: { WORLD } }))).toThrow(
        'outside the data folder',
      )
    },
  )

  it('leaves variables in a start command to the image, so that a value is never part of it', () => {
    const text = 'java -Xmx{{server.memory}}M -jar {{JAR}} --port {{server.port}}'
    const startup = { kind: 'text', commands: [{ name: 'Default', text }] } as const
    const egg = TemplateDocument.parse({ ...input, runtime: { ...input.runtime, startup } })
    const spec = containerSpecOf(egg, server({ variables: { MOTD: '$(id)' } }))
    expect(spec.command).toEqual([])
    expect(spec.environment.STARTUP).toBe(
      'java -Xmx{{SERVER_MEMORY}}M -jar {{JAR}} --port {{SERVER_PORT}}',
    )
  })

  it('leaves a small server at least three quarters of its memory', () => {
    expect(plannedMemoryMb(document, 4096)).toBe(3584)
    expect(plannedMemoryMb(document, 512)).toBe(384)
  })

  it('lists the ports it needs', () => {
    expect(portsNeeded(document)).toEqual([
      { offset: 0, label: null, protocol: 'tcp', container: 80 },
      { offset: 1, label: 'query', protocol: 'udp', container: null },
    ])
  })

  it('reports values that break their rules and values of unknown variables', () => {
    expect(variableFaults(document, { MOTD: 'x'.repeat(65), EXTRA: '1' })).toEqual([
      { env: 'EXTRA', detail: 'The template has no variable EXTRA' },
      { env: 'MOTD', detail: 'Message must have at most 64 characters' },
    ])
  })
})
