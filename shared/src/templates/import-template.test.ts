import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContainerSpec } from '../container-spec.ts'
import { TemplateDocument } from './document.ts'
import { EXPORT_FORMATS, exportTemplate, toYaml } from './export-template.ts'
import { importTemplate } from './import-template.ts'
import { containerSpecOf, TemplateValueError } from './resolve.ts'
import { anyDocument } from './testing/any-document.ts'
import { fastestMs } from './testing/fastest.ts'

const egg = (changes: object = {}, version = 'PTDL_v2'): Record<string, unknown> => ({
  meta: { version, update_url: null },
  name: 'Egg',
  author: 'someone@example.org',
  description: 'An egg',
  docker_images: { Main: 'example.org/image:1' },
  startup: './run {{MODE}}',
  config: { files: '{}', startup: '{"done": "ready"}', logs: '{}', stop: '^C' },
  scripts: { installation: { script: 'echo', container: 'debian:12', entrypoint: 'bash' } },
  variables: [{ name: 'Mode', env_variable: 'MODE', default_value: 'a', rules: 'required|in:a,b' }],
  ...changes,
})

function taken(source: unknown) {
  const result = importTemplate(source)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result
}

/** What a node would refuse in a server of this template; a path outside the data folder is refused earlier. */
function specFaults(document: TemplateDocument): unknown[] {
  const sizes = { memoryMb: 512, cpuPercent: 100, diskMb: 512 }
  const id = '3f0c3f0c-0000-4000-8000-000000000000'
  try {
    const spec = containerSpecOf(document, {
      id,
      name: 'one',
      variables: {},
      ...sizes,
      ports: [],
      address: null,
    })
    return ContainerSpec.safeParse(spec).error?.issues ?? []
  } catch (error) {
    return error instanceof TemplateValueError ? [] : [error]
  }
}

function refused(source: unknown) {
  const result = importTemplate(source)
  return result.ok ? [] : result.faults
}

describe('eggs', () => {
  it.each(['PTDL_v1', 'PTDL_v2', 'PLCN_v1', 'PLCN_v2', 'PLCN_v3'])(
    'of version %s are accepted',
    (version) => {
      const changes = {
        PTDL_v1: { docker_images: undefined, image: 'example.org/image:1' },
        PTDL_v2: {},
        PLCN_v1: { uuid: '3f0c3f0c-0000-4000-8000-000000000000' },
        PLCN_v2: {
          tags: ['game'],
          variables: [{ name: 'Mode', env_variable: 'MODE', rules: ['required', 'in:a,b'] }],
        },
        PLCN_v3: {
          startup: undefined,
          startup_commands: { Default: './run', Debug: './run --debug' },
        },
      }[version]
      const { document, warnings } = taken(egg(changes, version))
      expect(warnings).toEqual([])
      expect(document.runtime.images[0]?.source).toEqual({
        kind: 'registry',
        reference: 'example.org/image:1',
      })
      expect(document.runtime.proofOfLife.patterns).toEqual([{ kind: 'text', value: 'ready' }])
      expect(document.variables[0]?.rules).toContainEqual({ rule: 'in', values: ['a', 'b'] })
      if (version === 'PLCN_v3') {
        expect(document.runtime.startup).toMatchObject({
          commands: [{ name: 'Default' }, { name: 'Debug' }],
        })
      }
    },
  )

  it.each([
    ['stop', { kind: 'command', text: 'stop', timeoutSeconds: 180 }],
    ['^C', { kind: 'signal', signal: 'SIGINT', timeoutSeconds: 180 }],
    ['^c', { kind: 'signal', signal: 'SIGINT', timeoutSeconds: 180 }],
    ['^^C', { kind: 'signal', signal: 'SIGKILL', timeoutSeconds: 0 }],
    ['^SIGUSR1', { kind: 'signal', signal: 'SIGUSR1', timeoutSeconds: 180 }],
    ['^TERM', { kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 180 }],
    ['save\nop me', { kind: 'command', text: 'save op me', timeoutSeconds: 180 }],
    ['', { kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 180 }],
    ['^NONSENSE', { kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 180 }],
  ])('interpret the stop value %j', (stop, first) => {
    expect(taken(egg({ config: { stop } })).document.runtime.stop[0]).toEqual(first)
  })

  it.each([
    [
      ['a', 'b'],
      [
        { kind: 'text', value: 'a' },
        { kind: 'text', value: 'b' },
      ],
    ],
    ['regex:^Done \\(\\d+', [{ kind: 'regex', value: '^Done \\(\\d+' }]],
    ['', []],
    [null, []],
  ])('recognise a start by %j', (done, patterns) => {
    const { proofOfLife } = taken(egg({ config: { stop: '^C', startup: { done } } })).document
      .runtime
    expect(proofOfLife.patterns).toEqual(patterns)
    expect(proofOfLife.stayUpSeconds).toBe(patterns.length === 0 ? 10 : undefined)
  })

  it('rename variables that the panel sets itself, wherever they are used', () => {
    const { document } = taken(
      egg({
        startup: 'run {{HOME}} {{server.build.env.TZ}}',
        config: {
          stop: '^C',
          files: { 'a.yml': { parser: 'yml', find: { a: '{{env.HOME}}', b: { x: '{{TZ}}' } } } },
        },
        variables: [{ env_variable: 'HOME' }, { env_variable: 'TZ' }, { env_variable: 'MY-VAR' }],
      }),
    )
    expect(document.variables.map((variable) => variable.env)).toEqual([
      'SERVER_HOME',
      'SERVER_TZ',
      'MY_VAR',
    ])
    expect(document.runtime.startup).toMatchObject({
      commands: [{ text: 'run {{SERVER_HOME}} {{SERVER_TZ}}' }],
    })
    expect(document.runtime.configFiles[0]).toEqual({
      path: 'a.yml',
      parser: 'yaml',
      create: true,
      edits: [
        { match: 'a', value: '{{SERVER_HOME}}' },
        { match: 'b', ifValue: 'x', value: '{{SERVER_TZ}}' },
      ],
    })
  })

  it('are tolerated where their authors were careless', () => {
    const { document, warnings } = taken(
      egg({
        docker_images: [' ~example.org/image:1 ', 'Not An Image'],
        features: null,
        file_denylist: {},
        variables: [
          {
            env_variable: 'A',
            default_value: true,
            rules: {},
            user_viewable: 1,
            user_editable: '0',
          },
          { env_variable: 'A' },
          { name: 'nameless' },
          null,
        ],
      }),
    )
    expect(document.runtime.images).toHaveLength(1)
    expect(document.variables).toMatchObject([
      { env: 'A', default: 'true', userViewable: true, userEditable: false },
    ])
    expect(warnings.length).toBeGreaterThan(4)
  })

  it.each([
    [{ name: '  ' }, 'name'],
    [{ docker_images: null }, 'docker_images'],
    [{ startup: '' }, 'startup'],
    [{ meta: { version: 'PTDL_v9' } }, 'meta.version'],
  ])('that cannot run are refused by name: %j', (changes, path) => {
    expect(refused(egg(changes))[0]?.path).toBe(path)
  })
})

describe('hostile documents', () => {
  it.each([
    'data:image/php;base64,PD9waHA=',
    'data:image/png;base64,PD9waHAgc3lzdGVtKCk7',
    'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+',
    'data:image/png/../../x.php;base64,iVBORw0KGgo=',
    'https://evil.example/x.png',
    'javascript:alert(1)',
    `data:image/png;base64,iVBORw0KGgo${'A'.repeat(1_600_000)}`,
  ])('lose the icon %j', (icon) => {
    const { document, warnings } = taken(egg({ icon }, 'PLCN_v3'))
    expect(document.icon).toBeUndefined()
    expect(warnings.map((warning) => warning.path)).toContain('icon')
  })

  it('cannot name a file outside the data folder', () => {
    const paths = [
      '../../etc/passwd',
      'a/../../b',
      'a\\b',
      '/home/container/../x',
      'a\nb',
      'a\0../b',
      '',
    ]
    const files = Object.fromEntries(paths.map((path) => [path, { parser: 'file', find: {} }]))
    const { document, warnings } = taken(egg({ config: { stop: '^C', files } }))
    expect(document.runtime.configFiles).toEqual([])
    expect(warnings).toHaveLength(paths.length)
    const absolute = {
      '/etc/passwd': { parser: 'file', find: {} },
      '/home/container/a.cfg': { parser: 'file' },
    }
    const inside = taken(egg({ config: { stop: '^C', files: absolute } })).document.runtime
      .configFiles
    expect(inside.map((file) => file.path)).toEqual(['etc/passwd', 'a.cfg'])
  })

  it('lose invalid identifiers, names and line ends', () => {
    const { document } = taken(egg({ uuid: '../../x', name: 'a\nb\u2028c\u0000', author: ['x'] }))
    expect(document).toMatchObject({ name: 'a b c', author: '' })
    expect(document.uuid).toBeUndefined()
  })

  it('cannot reach a prototype', () => {
    const text = JSON.stringify(egg()).replace(
      '"variables":[',
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"variables":[{"env_variable":"__proto__","default_value":"x"},',
    )
    const { document } = taken(text)
    expect(document.variables[0]?.env).toBe('SERVER___PROTO__')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect('polluted' in document).toBe(false)
    const patched = { ...egg(), 'x-lodge': JSON.parse('{"__proto__": {"polluted": 1}}') }
    expect(refused(patched)).not.toEqual([])
  })

  it.each([
    ['privileged', { runtime: { privileged: true } }],
    ['HostConfig', { runtime: { HostConfig: { Binds: ['/:/host'] } } }],
    ['mounts', { runtime: { mounts: ['/var/run/docker.sock'] } }],
    ['network', { runtime: { network: 'host' } }],
    ['devices', { runtime: { devices: ['/dev/kvm'] } }],
    ['a capability', { runtime: { capabilities: ['SYS_ADMIN'] } }],
    ['a place of the host', { runtime: { dataPath: '/proc/1' } }],
    [
      'a file of the node',
      { runtime: { images: [{ name: 'a', source: { kind: 'archive', path: '/etc' } }] } },
    ],
    ['a reserved variable', { variables: [{ name: 'x', env: 'STARTUP' }] }],
    ['another format', { format: 'lodge/v2' }],
  ])('cannot get %s, not even through our extension field', (_, extension) => {
    expect(refused({ ...egg(), 'x-lodge': extension }).length).toBeGreaterThan(0)
  })

  it.each([
    ['nothing', ''],
    ['a number', '42'],
    ['a list', '[]'],
    ['broken JSON', '{"meta":'],
    ['deep JSON', `{"meta":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['deep YAML', `meta: ${'['.repeat(50_000)}`],
    ['deep YAML lists', `meta:\n ${'- '.repeat(5000)}x`],
    ['YAML with a fault in every character', `meta: [${']'.repeat(500_000)}`],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]`)
        .join('\n')}`,
    ],
    ['too much text', `{"meta":"${'x'.repeat(5_000_000)}"}`],
    [
      'too many values',
      JSON.stringify({ meta: { version: 'PTDL_v2' }, variables: Array(250_000).fill(0) }),
    ],
  ])('that are %s are refused in a moment', (_, source) => {
    const costMs = fastestMs(3000, () => expect(refused(source)[0]?.detail).toMatch(/\w+ \w+/))
    expect(costMs).toBeLessThan(3000)
  })

  it('never make the importer throw, nor a specification outside the allow-list', () => {
    const junk = fc.anything({ withNullPrototype: false, maxDepth: 3 })
    const keys = [
      'name',
      'docker_images',
      'startup',
      'startup_commands',
      'config',
      'scripts',
      'variables',
      'features',
      'file_denylist',
      'tags',
      'icon',
      'uuid',
      'image',
      'x-lodge',
    ]
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys), junk),
        fc.constantFrom('PTDL_v1', 'PLCN_v3'),
        (changes, version) => {
          const result = importTemplate(egg(changes, version))
          if (!result.ok) return result.faults.length > 0
          expect(TemplateDocument.safeParse(result.document).success).toBe(true)
          expect(specFaults(result.document)).toEqual([])
          return true
        },
      ),
      { numRuns: 10_000 },
    )
  })
})

describe('any document', () => {
  it('survives a round trip through every format', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        for (const format of EXPORT_FORMATS) {
          const { value } = exportTemplate(document, format, new Date(0))
          expect(taken(JSON.stringify(value)).document).toEqual(document)
          expect(taken(toYaml(value)).document).toEqual(document)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('makes a specification within what a node accepts', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(specFaults(document)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
