import type { Plugin } from 'vite'

/** Mantine's palettes that nothing in the panel uses: its colours are tokens of our own. */
export const UNUSED = 'red|pink|grape|violet|indigo|cyan|green|lime|yellow|orange|teal'

const DECLARATION = new RegExp(`--mantine-color-(${UNUSED})-[\\w-]+:[^;}]*;?`, 'g')

/** Styles without the variables of unused palettes, which would be a third of the first styles. */
export const withoutUnused = (css: string): string => css.replace(DECLARATION, '')

/** Leaves out what Mantine's base styles say of palettes that the panel does not use. */
export function palettes(): Plugin {
  return {
    name: 'lodge-palettes',
    transform(code, id) {
      if (!id.endsWith('/src/ui/page/mantine.css')) return null
      return { code: withoutUnused(code), map: null }
    },
  }
}
