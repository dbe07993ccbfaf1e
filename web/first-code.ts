import type { Plugin, Rolldown } from 'vite'

/** Where index.html receives the files, as two lists of addresses. */
const FRAME = '__FRAME_FILES__'
const SERVERS = '__SERVERS_FILES__'

/** What everybody sees first behind the sign-in. */
const MODULES = {
  [FRAME]: 'web/src/shell/shell.tsx',
  [SERVERS]: 'web/src/pages/servers/servers-page.tsx',
} as const

/**
 * Tells index.html the code that the panel loads once it runs, so that the browser fetches it beside the
 * panel instead of after it.
 */
export function firstCode(): Plugin {
  return {
    name: 'lodge-first-code',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) =>
        Object.entries(MODULES).reduce((text, [place, module]) => {
          const files = bundle === undefined ? [] : filesOf(bundle, module)
          // Those in the page already need no second line.
          const more = files.filter((file) => !html.includes(file))
          return text.replace(place, JSON.stringify(more))
        }, html),
    },
  }
}

/** The scripts and styles of a module's chunk, and of all that it imports. */
function filesOf(bundle: Rolldown.OutputBundle, module: string): readonly string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`))
  if (!first) throw new Error(`No file begins with ${module}`)
  const found = new Set<string>()
  const add = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    const chunk = chunks.find(({ fileName }) => fileName === name)
    for (const style of chunk?.viteMetadata?.importedCss ?? []) found.add(style)
    for (const other of chunk?.imports ?? []) add(other)
  }
  add(first.fileName)
  return [...found].map((name) => `/${name}`)
}
