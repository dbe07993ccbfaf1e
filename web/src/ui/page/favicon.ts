import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { useEffect } from 'react'
import { brand } from '../../brand.ts'

const ADDRESS = '/favicon.svg'
const DOT = { x: 24, y: 24, radius: 8 }

let drawing: Promise<string> | undefined
const drawn = (): Promise<string> => {
  drawing ??= fetch(ADDRESS, { cache: 'force-cache' })
    .then((response) => (response.ok ? response.text() : ''))
    .catch(() => '')
  return drawing
}

const colourOf = (tone: Tone): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--l-${tone}`).trim()

/** The favicon with a dot, as a data URL; undefined if it could not be read. */
function withDot(svg: string, colour: string): string | undefined {
  const end = svg.lastIndexOf('</svg>')
  if (end < 0 || colour === '') return undefined
  const { x, y, radius } = DOT
  const dot = `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}" stroke="#fff" stroke-width="2"/>`
  return `data:image/svg+xml,${encodeURIComponent(`${svg.slice(0, end)}${dot}</svg>`)}`
}

/** Shows a state in the browser's tab while this page is open. */
export function useFaviconTone(tone: Tone): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    // A host's own icon is a bitmap, which we cannot draw on.
    if (!link || brand?.images.favicon) return
    let left = false
    void drawn().then((svg) => {
      const address = left ? undefined : withDot(svg, colourOf(tone))
      if (address !== undefined) link.href = address
    })
    return () => {
      left = true
      link.href = ADDRESS
    }
  }, [tone])
}
