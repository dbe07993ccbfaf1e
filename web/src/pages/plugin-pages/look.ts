const TONES = ['ok', 'warn', 'err', 'info', 'pend', 'idle']

/** The tokens that pages of plugins get, without their prefix. */
const NAMES = [
  ...['font', 'bg', 'surface', 'overlay', 'fill', 'fill-2', 'line', 'line-strong', 'line-control'],
  ...['text', 'text-2', 'text-3', 'link', 'focus', 'mark', 'mark-fg'],
  ...['accent', 'accent-hover', 'accent-fg', 'accent-soft', 'accent-soft-fg', 'accent-line'],
  ...['danger', 'danger-hover', 'danger-fg', 'second', 'second-soft', 'second-soft-fg'],
  ...TONES.flatMap((tone) => [tone, `${tone}-soft`, `${tone}-fg`, `${tone}-line`]),
  ...Array.from({ length: 8 }, (_, at) => `chart-${at + 1}`),
]

/** The current look of the panel. */
export function presentLook() {
  const root = document.documentElement
  const computed = getComputedStyle(root)
  return {
    scheme: root.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light',
    density: root.dataset.density === 'compact' ? 'compact' : 'comfortable',
    tokens: Object.fromEntries(
      NAMES.map((name) => [name, computed.getPropertyValue(`--l-${name}`).trim()]),
    ),
  } as const
}

/** Calls back whenever the look changes. @returns a function that stops it */
export function onLook(changed: () => void): () => void {
  const seen = new MutationObserver(changed)
  const attributeFilter = ['data-mantine-color-scheme', 'data-density']
  seen.observe(document.documentElement, { attributes: true, attributeFilter })
  return () => seen.disconnect()
}
