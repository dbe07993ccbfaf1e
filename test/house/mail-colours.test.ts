import { expect, test } from 'vitest'
import { mailColours } from '../../control-plane/src/domains/branding/name.ts'
import { contentToHtml, layout } from '../../control-plane/src/domains/email/layout.ts'
import { DEFAULT_BRANDING } from '../../shared/src/branding.ts'
import { DEFAULT_SEED, tokens } from '../../shared/src/theme/tokens.ts'

test('a mail has the colours of the panel, in light and in dark', () => {
  const panel = {
    name: 'Lodge',
    url: 'https://lodge.example',
    footer: '',
    ...mailColours(DEFAULT_BRANDING),
  }
  const html = layout(
    'Subject',
    contentToHtml('[Open](https://lodge.example/x)', panel),
    panel,
    'en',
  )
  const [light, dark] = [tokens(DEFAULT_SEED, 'light'), tokens(DEFAULT_SEED, 'dark')]
  expect(html).toContain(`background:${light.accent};color:${light['accent-fg']}`)
  expect(html).toContain(`background:${light.bg}`)
  const rule = (name: string) => html.match(new RegExp(`^\\.${name} \\{.*\\}$`, 'm'))?.[0]
  expect(rule('button')).toContain(`background: ${dark.accent} !important`)
  expect(rule('page')).toContain(`background: ${dark.bg} !important`)
  expect(rule('card')).toContain(`background: ${dark.surface} !important`)
})
