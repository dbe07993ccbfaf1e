import { describe, expect, it } from 'vitest'
import { editFile } from './file.ts'
import { editIni } from './ini.ts'
import { editJson } from './json.ts'
import { editProperties } from './properties.ts'
import { editToml } from './toml.ts'
import { editXml } from './xml.ts'
import { editYaml } from './yaml.ts'

describe('hostile text', () => {
  const hostile = [
    ' '.repeat(300_000),
    `[${']'.repeat(300_000)}x`,
    '\\'.repeat(300_001),
    `a${' '.repeat(300_000)}b`,
    `a = "${'\\'.repeat(300_000)}`,
    '<'.repeat(300_000),
  ]
  const parsers = { editFile, editProperties, editIni, editJson, editYaml, editToml, editXml }

  it.each(Object.entries(parsers))('%s parses or refuses it quickly', (_, parser) => {
    for (const text of hostile) {
      const before = process.threadCpuUsage()
      try {
        parser(text, [
          { match: 'a.b', value: 'c' },
          { match: 'a.b', ifValue: 'regex:(x+x+)+y', value: 'c' },
        ])
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1000).toBeLessThan(5000)
    }
  })
})
