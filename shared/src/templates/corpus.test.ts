import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ContainerSpec } from '../container-spec.ts'
import { EXPORT_FORMATS, exportTemplate, toYaml } from './export-template.ts'
import { importTemplate } from './import-template.ts'
import { containerSpecOf, variableFaults } from './resolve.ts'
import { checkVariable } from './rules/check-variable.ts'
import { readCorpus } from './testing/corpus.ts'
import { fastestMs } from './testing/fastest.ts'

describe('real documents of other panels', () => {
  const imported = readCorpus().map(({ name, text }) => ({ name, result: importTemplate(text) }))
  const taken = imported.flatMap(({ name, result }) => (result.ok ? [{ name, ...result }] : []))

  it('are imported, or refused with the place and the reason', () => {
    const refused = imported.flatMap(({ name, result }) =>
      result.ok ? [] : [{ name, faults: result.faults }],
    )
    const warnings = taken.reduce((sum, document) => sum + document.warnings.length, 0)
    process.stdout.write(
      `${taken.length} imported, ${refused.length} refused, ${warnings} warnings\n`,
    )
    for (const { name, faults } of refused) {
      expect(faults.length, name).toBeGreaterThan(0)
      for (const fault of faults) expect(fault.detail, name).toMatch(/\w+ \w+/)
    }
    expect(taken.length).toBeGreaterThan(50)
    expect(taken.length).toBeGreaterThanOrEqual(imported.length * 0.98)
  })

  it.each(EXPORT_FORMATS)('survive an export as %s, as JSON and as YAML', (format) => {
    for (const { name, document } of taken) {
      const { value } = exportTemplate(document, format, new Date(0))
      for (const text of [JSON.stringify(value), toYaml(value)]) {
        const back = importTemplate(text)
        expect(back.ok, name).toBe(true)
        if (back.ok && !isDeepStrictEqual(back.document, document))
          expect(back.document, name).toEqual(document)
      }
    }
  })

  it('need no extension field in the newest format, and only icons and tags in the older one', () => {
    for (const { name, document } of taken) {
      expect(exportTemplate(document, 'plcn_v3', new Date(0)).value, name).not.toHaveProperty(
        'x-lodge',
      )
      const { 'x-lodge': extra = {} } = exportTemplate(document, 'ptdl_v2', new Date(0)).value
      const needed = new Set([
        'icon',
        'tags',
        ...(document.runtime.startup.kind === 'text' ? ['runtime'] : []),
      ])
      expect(
        Object.keys(Object(extra)).filter((key) => !needed.has(key)),
        name,
      ).toEqual([])
    }
  })

  it('make a specification that a node accepts', () => {
    for (const { name, document } of taken) {
      const spec = containerSpecOf(document, {
        id: '3f0c3f0c-0000-4000-8000-000000000000',
        name: 'one',
        variables: {},
        memoryMb: 1024,
        cpuPercent: 100,
        diskMb: 2048,
        ports: [{ offset: 0, hostPort: 25565, container: 25565, protocol: 'both' }],
        address: '203.0.113.7',
      })
      expect(ContainerSpec.safeParse(spec).error?.issues ?? [], name).toEqual([])
      for (const file of spec.configFiles) {
        for (const edit of file.edits)
          expect(String(edit.value), name).not.toMatch(/\{\{(server|config)\./)
      }
    }
  })

  it('have defaults that pass their own rules, except for values a person must give', () => {
    const faults = taken.flatMap(({ document }) =>
      variableFaults(document, {}).filter((fault) => !fault.detail.endsWith('is required')),
    )
    const variables = taken.reduce((sum, { document }) => sum + document.variables.length, 0)
    process.stdout.write(`${faults.length} of ${variables} defaults break their own rules\n`)
    expect(faults.length).toBeLessThan(variables / 50)
  })

  it('mask the values whose names say that they are secret', () => {
    const secrets = taken.flatMap(({ document }) =>
      document.variables.filter((variable) => variable.secret),
    )
    expect(secrets.length).toBeGreaterThan(50)
    expect(secrets.map((variable) => variable.env)).toContain('BOT_TOKEN')
  })

  it('are checked in at most 50 ms per value, for any value', () => {
    const hostile = [
      'a'.repeat(30_000),
      `${'a'.repeat(30_000)}!`,
      '.jar'.repeat(8000),
      '0'.repeat(32_000),
      '-'.repeat(9999),
    ]
    for (const { name, document } of taken) {
      for (const variable of document.variables) {
        for (const value of hostile) {
          expect(
            fastestMs(50, () => checkVariable(variable, value)),
            `${name} ${variable.env}`,
          ).toBeLessThan(50)
        }
      }
    }
  })
})
