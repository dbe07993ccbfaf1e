import { describe, expect, it } from 'vitest'
import { ContainerSpec } from '../../container-spec.ts'
import { exportTemplate } from '../export-template.ts'
import { importTemplate } from '../import-template.ts'
import { containerSpecOf, portsNeeded, variableFaults } from '../resolve.ts'
import { builtInTemplates } from './all.ts'

const BUILT_IN_TEMPLATES = builtInTemplates()

describe('built-in templates', () => {
  it('have unique identities', () => {
    expect(new Set(BUILT_IN_TEMPLATES.map((template) => template.uuid)).size).toBe(
      BUILT_IN_TEMPLATES.length,
    )
    expect(new Set(BUILT_IN_TEMPLATES.map(({ document }) => document.name)).size).toBe(
      BUILT_IN_TEMPLATES.length,
    )
  })

  it.each(BUILT_IN_TEMPLATES.map(({ document }) => [document.name, document] as const))(
    '%s becomes a specification without open placeholders and survives every export',
    (_, document) => {
      const ports = portsNeeded(document).map((port, index) => ({
        offset: port.offset,
        hostPort: 30_000 + index,
        container: port.container ?? 30_000 + index,
        protocol: port.protocol,
      }))
      const spec = containerSpecOf(document, {
        id: '3f0c3f0c-0000-4000-8000-000000000000',
        name: 'one',
        variables: {},
        memoryMb: document.runtime.limits.memoryMb ?? 512,
        cpuPercent: 100,
        diskMb: 1024,
        ports,
        address: null,
      })
      expect(ContainerSpec.parse(spec)).toEqual(spec)
      expect(JSON.stringify({ ...spec, install: undefined })).not.toContain('{{')
      for (const format of ['lodge', 'ptdl_v2', 'plcn_v3'] as const) {
        const back = importTemplate(
          JSON.stringify(exportTemplate(document, format, new Date(0)).value),
        )
        expect(back.ok && back.document).toEqual(document)
      }
    },
  )

  it.each(BUILT_IN_TEMPLATES.map(({ document }) => [document.name, document] as const))(
    '%s names the registry its image comes from, or needs none',
    (_, { description, runtime }) => {
      for (const { source } of [
        ...runtime.images,
        ...(runtime.install ? [{ source: runtime.install.image }] : []),
      ])
        if (source.kind === 'registry')
          expect(description).toContain(source.reference.split('/')[0])
    },
  )

  it('install a database from Debian packages by default', () => {
    const found = BUILT_IN_TEMPLATES.find(({ document }) => document.name === 'PostgreSQL')
    expect(found?.document.runtime.images[0]?.source).toMatchObject({ kind: 'debian' })
  })

  it('ask only for what a person must decide', () => {
    const required = BUILT_IN_TEMPLATES.flatMap(({ document }) =>
      variableFaults(document, {}).map((fault) => fault.env),
    )
    expect(new Set(required)).toEqual(
      new Set(['EULA', 'JOIN_PASSWORD', 'RCON_PASSWORD', 'REDIS_PASSWORD', 'POSTGRES_PASSWORD']),
    )
  })
})
