import type { Plugin } from 'vite'

const ICON = /lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/

/**
 * The parts of an icon have random keys, which are most of what an icon weighs once compressed: numbers
 * keep them apart as well. Other names of an icon are of no use in a browser.
 */
export const shortIcons = (): Plugin => ({
  name: 'lodge-short-icons',
  apply: 'build',
  transform: {
    filter: { id: ICON },
    handler: (code) => ({ code: shortened(code), map: null }),
  },
})

function shortened(code: string): string {
  let part = 0
  return code.replace(/,?\s*aliases: \[[^\]]*\]/, '').replaceAll(/key: "\w+"/g, () => {
    part += 1
    return `key: ${part}`
  })
}
