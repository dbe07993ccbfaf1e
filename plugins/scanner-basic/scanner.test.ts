import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tryPlugin } from '../sdk/testing.ts'
import plugin from './main.ts'

const manifest: unknown = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'lodge-plugin.json'), 'utf8'),
)
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS', 'TEST-FILE!$H+H*'].join('-')
const bytes = (text: string) => Buffer.from(text, 'latin1')
const infected = (why: string) => ({ verdict: 'infected', why: expect.stringContaining(why) })

test('ordinary files are clean, and a test virus is found wherever the chunks are split', async () => {
  const { scan, call } = await tryPlugin(plugin, { manifest })
  expect(await call('plugin.health')).toMatchObject({ ok: true })
  expect(await scan([bytes('all is well')])).toEqual({ verdict: 'clean' })
  for (let at = 1; at < EICAR.length; at += 7)
    expect(await scan([bytes(EICAR.slice(0, at)), bytes(EICAR.slice(at))])).toEqual(
      infected('EICAR'),
    )
})

test.each([
  ['/JavaScript (app.alert(1))', 'script'],
  ['/Launch /F (x)', 'program'],
  ['/EmbeddedFile', 'other files'],
])('a PDF with %s is refused unless that is turned off', async (part, why) => {
  const pdf = [bytes(`%PDF-1.7\n<< ${part} >>`)]
  const careful = await tryPlugin(plugin, { manifest })
  const lenient = await tryPlugin(plugin, { manifest, settings: { refuseActivePdf: false } })
  expect(await careful.scan(pdf, { type: 'application/pdf' })).toEqual(infected(why))
  expect(await careful.scan(pdf, { type: 'text/plain' })).toEqual({ verdict: 'clean' })
  expect(await lenient.scan(pdf, { type: 'application/pdf' })).toEqual({ verdict: 'clean' })
})

test('a file on the list is refused, whatever it contains', async () => {
  const file = bytes('something secret')
  const digest = createHash('sha256').update(file).digest('hex').toUpperCase()
  const settings = { refusedDigests: `# ours\n  ${digest}  leaked in May\n` }
  const { scan } = await tryPlugin(plugin, { manifest, settings })
  expect(await scan([file])).toEqual(infected('list'))
  expect(await scan([bytes('something else')])).toEqual({ verdict: 'clean' })
})
